package dev.penstock.retry;

import dev.penstock.meter.RecentCount;
import java.time.Duration;

/**
 * How many repeats are allowed: a share of the requests of the last 10 s, plus a small reserve for when there are few.
 *
 * <p>Pure but for its counts: every time is given by the caller. Safe for many threads.
 */
final class RetryBudget {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final double share;
    private final double reserve;
    private final RecentCount requests;
    private final RecentCount repeats;

    /**
     * A budget that has seen nothing.
     *
     * @param share repeats allowed for each request
     * @param reservePerSecond repeats allowed each second whatever the requests
     * @param now the current reading of the ticker that all later times come from
     */
    RetryBudget(double share, double reservePerSecond, long now) {
        this.share = share;
        this.reserve = reservePerSecond * WINDOW.toSeconds();
        this.requests = new RecentCount(WINDOW, now);
        this.repeats = new RecentCount(WINDOW, now);
    }

    void request(long now) {
        requests.add(now);
    }

    /** Takes one repeat out of the budget, if there is one. */
    synchronized boolean tryRepeat(long now) {
        if (repeats.recent(now) + 1 > share * requests.recent(now) + reserve) {
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
