package dev.penstock.retry;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.meter.Meter;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Repeats attempts as a {@link Retry} says.
 *
 * <h2>Design note</h2>
 *
 * <p>Once an attempt has ended as {@link Unknown}, no later rejection or failure can make the transaction anything better
 * than unknown: the first attempt may have taken effect all the same. Only an answer ends the doubt, or a status probe that
 * says "not there", which speaks for all attempts so far, since all of them bear the same reference. So the first unknown
 * ending is kept, and thrown in place of a later one, until then.
 *
 * <p>The probe is asked last: when no repeat is allowed, for want of a key, of attempts, of time or of budget. What is not
 * there may be repeated like what was not sent, with the attempts and the budget that are left. It was sent, though, so a
 * rejection after it does not make the transaction one that was never sent.
 *
 * <p>Safe for many threads.
 */
public final class RetryFilter {
    private final Retry retry;
    private final Backoff backoff;
    private final RetryBudget budget;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final LongAdder outOfBudget = new LongAdder();

    /**
     * A filter that has repeated nothing.
     *
     * @param retry when to repeat
     * @param meter the meter of the flow that it stands in: repeats are bounded by a share of what it counts as offered
     * @param ticker the clock that waits go by
     * @param random where the jitter of waits comes from; safe for many threads
     */
    public RetryFilter(Retry retry, Meter meter, Ticker ticker, RandomGenerator random) {
        this.retry = retry;
        this.backoff = retry.backoff();
        this.budget = retry.budget(meter::offeredRecently, ticker.nanos());
        this.ticker = ticker;
        this.random = random;
    }

    /** Puts this filter around a service, with nobody to ask about what is in doubt. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return around(next, null);
    }

    /**
     * Puts this filter around a service.
     *
     * @param settler asks about what is in doubt and not to be repeated; null for nobody
     */
    public <Q, R> Service<Q, R> around(Service<Q, R> next, @Nullable Settler<Q, R> settler) {
        return new Repeated<>(this, next, settler);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Repeated<Q, R>(
            RetryFilter retry, Service<Q, R> next, @Nullable Settler<Q, R> settler) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            try {
                return next.call(request);
            } catch (Unanswered ending) {
                return retry.repeat(request, next, settler, CallContext.required(), ending);
            }
        }
    }

    private <Q, R> R repeat(
            Q request, Service<Q, R> next, @Nullable Settler<Q, R> settler, CallContext callContext, Unanswered first)
            throws Exception {
        Unanswered last = first;
        // What a later ending does not undo: an unknown one, or a word that it is not there.
        @Nullable Unanswered sent = null;
        for (int repeat = 1; ; repeat++) {
            sent = !(sent instanceof Unknown) && last instanceof Unknown ? last : sent;
            if (!again(repeat, request, last, callContext)) {
                if (!(sent instanceof Unknown doubt) || settler == null) {
                    throw ending(sent, last);
                }
                try {
                    return settler.settle(request, doubt, callContext);
                } catch (Failed notThere) {
                    last = notThere;
                    sent = notThere;
                }
                if (!again(repeat, request, last, callContext)) {
                    throw last;
                }
            }
            try {
                return next.call(request);
            } catch (Unanswered ending) {
                last = ending;
            }
        }
    }

    private static Unanswered ending(@Nullable Unanswered sent, Unanswered last) {
        return sent instanceof Unknown || (sent != null && last instanceof Rejected) ? sent : last;
    }

    private boolean again(int repeat, Object request, Unanswered last, CallContext callContext) {
        return repeat < retry.attempts() && mayRepeat(request, last) && waitFor(repeat, callContext);
    }

    private boolean mayRepeat(Object request, Unanswered last) {
        return switch (last) {
            // An open breaker stays open for longer than we wait; trying it would only use up the budget.
            case Rejected rejected -> rejected.isRepeatable() && rejected.why() != Rejected.Cause.BREAKER;
            case Failed failed -> failed.isRepeatable();
            case Unknown unknown -> unknown.why() != Unknown.Cause.INTERRUPTED && retry.takesTwiceAsOnce(request);
        };
    }

    /** Waits for the next attempt; false when there is no time, no budget, or nobody left to wait for it. */
    private boolean waitFor(int repeat, CallContext callContext) {
        long wait = backoff.wait(repeat, random);
        if (wait >= callContext.timeLeft() || Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (!budget.tryRepeat(callContext.now())) {
            outOfBudget.increment();
            return false;
        }
        long until = callContext.now() + wait;
        while (callContext.now() - until < 0) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            ticker.parkUntil(until);
            callContext.tick();
        }
        // It may have woken later than it meant to.
        return callContext.timeLeft() > 0;
    }

    /** How many attempts were repeats. */
    public long repeated() {
        return budget.repeats();
    }

    /** How many attempts were repeats each second, over the last 10 s. */
    public double repeatedPerSecond() {
        return budget.repeatsPerSecond(ticker.nanos());
    }

    /** How many repeats the budget forbade. */
    public long outOfBudget() {
        return outOfBudget.sum();
    }

    /** When it repeats. */
    public Retry retry() {
        return retry;
    }
}
