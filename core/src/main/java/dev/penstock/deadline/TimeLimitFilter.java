package dev.penstock.deadline;

import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Service;

/**
 * Enforces deadlines for a service that does not {@linkplain Service#honorsDeadline() honor} them. Any other service is left
 * as it is.
 *
 * @param limiter calls the service on a thread of its own
 */
public record TimeLimitFilter<Q, R>(TimeLimiter limiter) implements Filter<Q, R> {
    @Override
    public Service<Q, R> around(Service<Q, R> service) {
        return service.honorsDeadline() ? service : new TimeLimitedService<>(limiter, service);
    }

    private record TimeLimitedService<Q, R>(TimeLimiter limiter, Service<Q, R> service) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            return callContext.hasDeadline()
                    ? limiter.callOnSeparateThread(service, request, callContext)
                    : service.call(request);
        }
    }
}
