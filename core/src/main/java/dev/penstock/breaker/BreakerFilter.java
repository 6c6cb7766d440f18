package dev.penstock.breaker;

import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.function.Predicate;

/**
 * Calls the next service while a {@link Breaker} admits calls, and reports to it how they end.
 *
 * @param breaker admits calls
 * @param callersOwn which timeouts do not count as failures, because the caller allowed too little time
 */
public record BreakerFilter<Q, R>(Breaker breaker, Predicate<CallContext> callersOwn) implements Filter<Q, R> {
    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return new GuardedService<>(breaker, callersOwn, next);
    }

    private record GuardedService<Q, R>(Breaker breaker, Predicate<CallContext> callersOwn, Service<Q, R> next)
            implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            BreakerState entered = breaker.enter(callContext.now());
            try {
                R answer = next.call(request);
                breaker.answered(entered, callContext.now());
                return answer;
            } catch (Unanswered ending) {
                if (isTimeout(ending) && callersOwn.test(callContext)) {
                    breaker.ignored(entered, callContext.now());
                } else {
                    breaker.ended(ending, entered, callContext.now());
                }
                throw ending;
            } catch (Throwable unexpected) {
                breaker.ignored(entered, callContext.now());
                throw unexpected;
            }
        }

        private static boolean isTimeout(Unanswered ending) {
            return ending instanceof Unknown unknown && unknown.why() == Unknown.Cause.TIMEOUT;
        }
    }
}
