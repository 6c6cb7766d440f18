package dev.penstock.jdbc.guard;

import java.util.Locale;

/**
 * How long a connection may take to show that it lives: round trips go in, a bound comes out. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>The estimate of RFC 6298 (Computing TCP's Retransmission Timer): a smoothed round trip and four times its smoothed
 * deviation. TCP's least bound of a second would be felt by a caller, so the least is {@link #LEAST}: what a busy machine
 * holds back an answer for. A look that gives up too early costs one connection and one connect. An answer that comes after
 * that is a round trip too, and widens the bound. Before the first round trip the time of a connect stands in, which takes
 * several.
 *
 * <p>For one thread at a time.
 */
final class ValidationTimeout {
    /** The least bound, nanoseconds. */
    static final long LEAST = 30_000_000L;

    /** The most, nanoseconds. */
    static final long MOST = 1_000_000_000L;

    private static final long UNHURRIED = 500_000_000L;
    private static final long AT_FIRST = 250_000_000L;

    private double smoothed;
    private double deviation;
    private boolean measured;
    private long bound = AT_FIRST;

    /** A connection was opened in that time. */
    void connected(long nanos) {
        if (!measured) {
            bound = Math.clamp(2 * nanos, 2 * LEAST, MOST);
        }
    }

    /** A round trip took that long. */
    void answered(long nanos) {
        if (measured) {
            deviation = 0.75 * deviation + 0.25 * Math.abs(smoothed - nanos);
            smoothed = 0.875 * smoothed + 0.125 * nanos;
        } else {
            measured = true;
            smoothed = nanos;
            deviation = nanos / 2.0;
        }
        bound = Math.clamp((long) (smoothed + 4 * deviation), LEAST, MOST);
    }

    /** How long a look waits for an answer while a caller waits for the look, nanoseconds. */
    long nanos() {
        return bound;
    }

    /** How long a look waits when nobody waits for it, nanoseconds: no stall of a machine is to be taken for a death. */
    long unhurried() {
        return Math.clamp(10 * bound, UNHURRIED, MOST);
    }

    String value() {
        return Math.round(bound / 1e6) + " ms";
    }

    /** Why, in one sentence. */
    String reason() {
        return measured
                ? String.format(
                        Locale.ROOT,
                        "a round trip takes %.2f ms, give or take %.2f ms; never below %d ms",
                        smoothed / 1e6,
                        deviation / 1e6,
                        LEAST / 1_000_000)
                : "no round trip was measured yet";
    }
}
