package dev.penstock.retry;

import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * Limits retries to a share of the requests of the last 10 s, plus a small reserve for low rates.
 *
 * <p>Reads no clock: callers pass the time. Safe for many threads.
 */
final class RetryBudget {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final double share;
    private final double reserve;
    private final LongUnaryOperator requests;
    private final RecentCount retries;

    /**
     * Creates a budget.
     *
     * @param share retries allowed per request
     * @param reservePerSecond retries allowed per second, regardless of requests
     * @param requests returns the number of requests in the 10 s before a time
     * @param now the current time of the ticker that all later times come from
     */
    RetryBudget(double share, double reservePerSecond, LongUnaryOperator requests, long now) {
        this.share = share;
        this.reserve = reservePerSecond * WINDOW.toSeconds();
        this.requests = requests;
        this.retries = new RecentCount(WINDOW, now);
    }

    /** Takes one retry from the budget; returns false when it is used up. */
    synchronized boolean tryRetry(long now) {
        if (retries.recent(now) + 1 > share * requests.applyAsLong(now) + reserve) {
            return false;
        }
        retries.add(now);
        return true;
    }

    /** Retries per second, averaged over the last 10 s. */
    double retriesPerSecond(long now) {
        return retries.perSecond(now);
    }

    /** The number of retries so far. */
    long retries() {
        return retries.total();
    }
}
