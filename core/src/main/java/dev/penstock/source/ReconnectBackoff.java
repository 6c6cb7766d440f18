package dev.penstock.source;

import java.util.random.RandomGenerator;

/**
 * The backoff after failed connection attempts: it doubles from {@value #FIRST_MS} ms to {@value #MOST_SECONDS} s,
 * with a random reduction of up to half, so that many processes do not reconnect at the same time. A successful call
 * resets it.
 *
 * <p>No I/O; not thread-safe.
 */
public final class ReconnectBackoff {
    public static final long FIRST_MS = 100;
    public static final long MOST_SECONDS = 5;

    private static final long FIRST = FIRST_MS * 1_000_000;
    private static final long MAX = MOST_SECONDS * 1_000_000_000;
    private static final int MAX_DOUBLINGS = 6;
    private static final long LOG_INTERVAL = 60_000_000_000L;

    private int failures;
    private long notBefore;
    private long lastLogged;

    /** The time until the next attempt, in nanoseconds; 0 for immediately. */
    public long waitLeft(long now) {
        return failures == 0 ? 0 : Math.max(0, notBefore - now);
    }

    /** An attempt failed, or the connection was lost before any call succeeded. */
    public void failed(long now, RandomGenerator random) {
        long ceiling = Math.min(MAX, FIRST << Math.min(failures, MAX_DOUBLINGS));
        failures++;
        notBefore = now + ceiling / 2 + random.nextLong(ceiling / 2 + 1);
    }

    /** A call succeeded on the connection. */
    public void succeeded() {
        failures = 0;
    }

    /** Whether to log a failure: the first of an outage, and one a minute while it lasts. */
    public boolean isToLog(long now) {
        boolean isDue = failures <= 1 || now - lastLogged >= LOG_INTERVAL;
        lastLogged = isDue ? now : lastLogged;
        return isDue;
    }
}
