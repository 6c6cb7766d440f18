package dev.penstock.retry;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Repeats attempts as a {@link Retry} says.
 *
 * <h2>Design note</h2>
 *
 * <p>Once an attempt has ended as {@link Unknown}, no later rejection or failure can make the transaction anything better
 * than unknown: the first attempt may have taken effect all the same. Only an answer ends the doubt. So the first unknown
 * ending is kept, and thrown in place of a later one.
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
     * @param ticker the clock that waits go by
     * @param random where the jitter of waits comes from; safe for many threads
     */
    public RetryFilter(Retry retry, Ticker ticker, RandomGenerator random) {
        this.retry = retry;
        this.backoff = retry.backoff();
        this.budget = retry.budget(ticker.nanos());
        this.ticker = ticker;
        this.random = random;
    }

    /** Puts this filter around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return request -> {
            Transit transit = Transit.required();
            budget.request(transit.now());
            try {
                return next.call(request);
            } catch (Unanswered ending) {
                return repeat(request, next, transit, ending);
            }
        };
    }

    private <Q, R> R repeat(Q request, Service<Q, R> next, Transit transit, Unanswered first) throws Exception {
        Unanswered last = first;
        @Nullable Unknown doubt = null;
        for (int repeat = 1; ; repeat++) {
            doubt = doubt == null && last instanceof Unknown unknown ? unknown : doubt;
            if (repeat >= retry.attempts() || !mayRepeat(request, last) || !waitFor(repeat, transit)) {
                throw doubt == null ? last : doubt;
            }
            try {
                return next.call(request);
            } catch (Unanswered ending) {
                last = ending;
            }
        }
    }

    private boolean mayRepeat(Object request, Unanswered last) {
        return switch (last) {
            // An open breaker stays open for longer than we wait; trying it would only use up the budget.
            case Rejected rejected -> rejected.isRepeatable() && rejected.why() != Rejected.Cause.BREAKER;
            case Failed failed -> failed.isRepeatable();
            case Unknown unknown -> unknown.why() != Unknown.Cause.INTERRUPTED && retry.hasKey(request);
        };
    }

    /** Waits for the next attempt; false when there is no time, no budget, or nobody left to wait for it. */
    private boolean waitFor(int repeat, Transit transit) {
        long wait = backoff.wait(repeat, random);
        if (wait >= transit.timeLeft() || Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (!budget.tryRepeat(transit.now())) {
            outOfBudget.increment();
            return false;
        }
        long until = transit.now() + wait;
        while (transit.now() - until < 0) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            ticker.parkUntil(until);
            transit.tick();
        }
        // It may have woken later than it meant to.
        return transit.timeLeft() > 0;
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
