package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Service;
import dev.penstock.limit.Permit.Outcome;
import java.util.function.Predicate;

/**
 * Calls the next service with a permit of a {@link Limit}, and reports to it how the call ended.
 *
 * @param limit the permits
 * @param callersOwn which timeouts do not count as overload, because the caller allowed too little time
 */
public record LimitFilter<Q, R>(Limit limit, Predicate<CallContext> callersOwn) implements Filter<Q, R> {
    /** Every timeout counts as overload. */
    public LimitFilter(Limit limit) {
        this(limit, callContext -> false);
    }

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return new LimitedService<>(limit, callersOwn, next);
    }

    private record LimitedService<Q, R>(Limit limit, Predicate<CallContext> callersOwn, Service<Q, R> next)
            implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            long idle = limit.acquirePermit(request, callContext);
            long start = callContext.now();
            R answer;
            boolean dropped;
            try {
                answer = next.call(request);
                dropped = limit.isBusy(answer) || isLate(callContext);
            } catch (Throwable ending) {
                limit.unanswered(idle, start, callContext, outcome(ending, callContext));
                throw ending;
            }
            limit.answered(dropped, idle, start, callContext.now());
            return answer;
        }

        /** An answer after its deadline is useless, so it counts as dropped. */
        private boolean isLate(CallContext callContext) {
            return callContext.timeLeft() < 0 && !callersOwn.test(callContext);
        }

        private Outcome outcome(Throwable ending, CallContext callContext) {
            Outcome known = Outcome.of(ending);
            return known == Outcome.DROPPED && callersOwn.test(callContext) ? Outcome.IGNORED : known;
        }
    }
}
