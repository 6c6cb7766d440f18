package dev.penstock.jms;

import java.util.random.RandomGenerator;

/**
 * When a connection that could not be opened is tried again: after a wait that doubles from {@value #FIRST_MS} ms to {@value
 * #MOST_SECONDS} s, of which up to half is left off by chance, so that many processes do not come at once. A connection that
 * has carried something makes all as it was at first.
 *
 * <p>Pure; not safe for many threads.
 */
public final class ReconnectBackoff {
    public static final long FIRST_MS = 100;
    public static final long MOST_SECONDS = 5;

    private static final long FIRST = FIRST_MS * 1_000_000;
    private static final long MOST = MOST_SECONDS * 1_000_000_000;
    private static final int MOST_DOUBLINGS = 6;

    private int failures;
    private long notBefore;

    /** How long to wait before the next try, in nanoseconds; 0 for not at all. */
    public long waitLeft(long now) {
        return failures == 0 ? 0 : Math.max(0, notBefore - now);
    }

    /** One could not be opened, or carried nothing. */
    public void failed(long now, RandomGenerator random) {
        long ceiling = Math.min(MOST, FIRST << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        notBefore = now + ceiling / 2 + random.nextLong(ceiling / 2 + 1);
    }

    /** It carries. */
    public void works() {
        failures = 0;
    }

    /** How many in a row could not be opened, or carried nothing. */
    public int failures() {
        return failures;
    }
}
