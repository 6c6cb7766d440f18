package dev.penstock.retry;

import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * Limits retries of what the target has already received to a share of the requests of the last 10 s, plus a small reserve
 * for low rates. A retry is reserved before its backoff, so that many at once cannot exceed the budget, and charged when it
 * was sent.
 *
 * <p>Reads no clock: callers pass the time. Safe for many threads.
 */
final class RetryBudget {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final double share;
    private final double reserve;
    private final LongUnaryOperator requests;
    private final RecentCount sent;
    private long reserved;

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
        this.sent = new RecentCount(WINDOW, now);
    }

    /** Reserves one retry, to be passed to {@link #end} later; returns false when the budget is used up. */
    synchronized boolean tryReserve(long now) {
        if (sent.recent(now) + reserved + 1 > share * requests.applyAsLong(now) + reserve) {
            return false;
        }
        reserved++;
        return true;
    }

    /** Ends a reservation; charges the retry if it was sent. */
    synchronized void end(boolean wasSent, long now) {
        reserved--;
        if (wasSent) {
            sent.add(now);
        }
    }

    /** The number of retries charged so far. */
    long charged() {
        return sent.total();
    }
}
