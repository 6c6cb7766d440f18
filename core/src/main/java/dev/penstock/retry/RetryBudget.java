package dev.penstock.retry;

import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * How many repeats are allowed: a share of the requests of the last 10 s, plus a small reserve for when there are few.
 *
 * <p>Pure but for its counts: every time is given by the caller. Safe for many threads.
 */
final class RetryBudget {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final double share;
    private final double reserve;
    private final LongUnaryOperator requests;
    private final RecentCount repeats;

    /**
     * A budget that has seen nothing.
     *
     * @param share repeats allowed for each request
     * @param reservePerSecond repeats allowed each second whatever the requests
     * @param requests tells how many requests there were in the 10 s before a time
     * @param now the current reading of the ticker that all later times come from
     */
    RetryBudget(double share, double reservePerSecond, LongUnaryOperator requests, long now) {
        this.share = share;
        this.reserve = reservePerSecond * WINDOW.toSeconds();
        this.requests = requests;
        this.repeats = new RecentCount(WINDOW, now);
    }

    /** Takes one repeat out of the budget, if there is one. */
    synchronized boolean tryRepeat(long now) {
        if (repeats.recent(now) + 1 > share * requests.applyAsLong(now) + reserve) {
            return false;
        }
        repeats.add(now);
        return true;
    }

    /** How many repeats there were each second, over the last 10 s. */
    double repeatsPerSecond(long now) {
        return repeats.perSecond(now);
    }

    /** How many repeats there were ever. */
    long repeats() {
        return repeats.total();
    }
}
