package dev.penstock.udp;

/** The highest rate of a counter, measured between readings at least 1 s apart. Safe for many threads. */
final class PeakRate {
    private static final long MIN_INTERVAL_NANOS = 1_000_000_000;

    private boolean started;
    private long count;
    private long at;
    private long peak;

    /** Records a reading of the counter; returns the highest rate per second so far, or 0 while unknown. */
    synchronized long seen(long total, long now) {
        if (!started) {
            started = true;
            count = total;
            at = now;
        } else if (now - at >= MIN_INTERVAL_NANOS) {
            peak = Math.max(peak, (long) ((total - count) * 1e9 / (now - at)));
            count = total;
            at = now;
        }
        return peak;
    }
}
