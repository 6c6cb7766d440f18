package dev.penstock.udp;

/** The highest rate seen between two looks at a count that are a second apart or more. Safe for many threads. */
final class PeakRate {
    private static final long LEAST_NANOS = 1_000_000_000;

    private boolean started;
    private long count;
    private long at;
    private long most;

    /** The count is this now; the highest rate a second so far, 0 before one is known. */
    synchronized long seen(long total, long now) {
        if (!started) {
            started = true;
            count = total;
            at = now;
        } else if (now - at >= LEAST_NANOS) {
            most = Math.max(most, (long) ((total - count) * 1e9 / (now - at)));
            count = total;
            at = now;
        }
        return most;
    }
}
