package dev.penstock.jdbc.guard;

import java.util.Locale;

/**
 * Computes the timeout for validating a connection from measured round trips. No I/O.
 *
 * <h2>Design note</h2>
 *
 * <p>The estimator of RFC 6298 (Computing TCP's Retransmission Timer): a smoothed round-trip time plus four times its
 * smoothed deviation. TCP's minimum of one second would be too long for callers, so the minimum is {@link #MIN}, the
 * time for which a busy machine may delay an answer. A validation that gives up too early costs one connection and one
 * connect. An answer that arrives later still counts as a round trip, and raises the timeout. Before the first round
 * trip the connect time is used, which consists of several round trips.
 *
 * <p>Not thread-safe.
 */
final class ValidationTimeout {
    /** The minimum, in nanoseconds. */
    static final long MIN = 30_000_000L;

    /** The maximum, in nanoseconds. */
    static final long MAX = 1_000_000_000L;

    private static final long MIN_BACKGROUND = 500_000_000L;
    private static final long INITIAL = 250_000_000L;

    private double smoothed;
    private double deviation;
    private boolean measured;
    private long timeout = INITIAL;

    /** A connection was opened in that time. */
    void connected(long nanos) {
        if (!measured) {
            timeout = Math.clamp(2 * nanos, 2 * MIN, MAX);
        }
    }

    /** A round trip took that time. */
    void answered(long nanos) {
        if (measured) {
            deviation = 0.75 * deviation + 0.25 * Math.abs(smoothed - nanos);
            smoothed = 0.875 * smoothed + 0.125 * nanos;
        } else {
            measured = true;
            smoothed = nanos;
            deviation = nanos / 2.0;
        }
        timeout = Math.clamp((long) (smoothed + 4 * deviation), MIN, MAX);
    }

    /** The timeout while a caller waits, in nanoseconds. */
    long nanos() {
        return timeout;
    }

    /**
     * The timeout in the background, in nanoseconds: longer, so that a stall of the machine does not count as a dead
     * connection.
     */
    long background() {
        return Math.clamp(10 * timeout, MIN_BACKGROUND, MAX);
    }

    String value() {
        return Math.round(timeout / 1e6) + " ms";
    }

    /** The reason, in one sentence. */
    String reason() {
        return measured
                ? String.format(
                        Locale.ROOT,
                        "round trip %.2f ms, deviation %.2f ms (RFC 6298); at least %d ms",
                        smoothed / 1e6,
                        deviation / 1e6,
                        MIN / 1_000_000)
                : "no round trip measured yet";
    }
}
