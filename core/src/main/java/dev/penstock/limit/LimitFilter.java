package dev.penstock.limit;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Service;
import dev.penstock.limit.LimitController.Outcome;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the next service with a permit of a {@link Limit}, and reports to it how the call ended.
 *
 * @param limit the permits
 * @param callersOwn which timeouts do not count as overload, because the caller allowed too little time
 */
public record LimitFilter<Q, R>(Limit limit, Predicate<CallContext> callersOwn) implements Filter<Q, R> {
    private static final Logger LOG = LoggerFactory.getLogger(LimitFilter.class);

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        AtomicBoolean brokenBusyLogged = new AtomicBoolean();
        return request -> call(request, next, brokenBusyLogged);
    }

    private R call(Q request, Service<Q, R> next, AtomicBoolean brokenBusyLogged) throws Exception {
        CallContext callContext = CallContext.required();
        long start = limit.acquire(request, callContext);
        Turn turn = null;
        R answer;
        boolean dropped;
        try {
            turn = limit.begin(start);
            answer = next.call(request);
            // An answer after its deadline is useless.
            boolean late = callContext.timeLeft() < 0 && !callersOwn.test(callContext);
            dropped = isBusy(answer, brokenBusyLogged) || late;
        } catch (Throwable ending) {
            limit.unanswered(turn, start, callContext, outcome(ending, callContext));
            throw ending;
        }
        limit.answered(turn, start, callContext.now(), dropped);
        return answer;
    }

    private Outcome outcome(Throwable ending, CallContext callContext) {
        Outcome known = Outcome.of(ending);
        return known == Outcome.DROPPED && callersOwn.test(callContext) ? Outcome.IGNORED : known;
    }

    /** The target has answered, so an exception in {@link Busy#isBusy()} must not keep the answer from the caller. */
    private static boolean isBusy(@Nullable Object answer, AtomicBoolean logged) {
        try {
            return Busy.is(answer);
        } catch (RuntimeException broken) {
            if (logged.compareAndSet(false, true)) {
                LOG.warn(
                        "isBusy() of an answer threw {}; such answers count as not busy; fix the class {}",
                        broken,
                        Objects.requireNonNull(answer).getClass().getName());
            }
            return false;
        }
    }
}
