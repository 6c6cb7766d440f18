package dev.penstock.rate;

import java.util.concurrent.atomic.AtomicLong;

/** What somebody has used of a rate, by the generic cell rate algorithm (ITU-T I.371). Thread-safe. */
public final class CellRate {
    private static final long SECOND = 1_000_000_000;

    /** The reading of the clock at which the whole burst is available again. */
    private final AtomicLong fullAt;

    /** Nothing has been used. */
    public CellRate(long now) {
        this.fullAt = new AtomicLong(now);
    }

    /**
     * Takes one.
     *
     * @param perSecond more than 0
     * @param burst how many may be taken at once after a pause; 1 or more
     * @return 0, or the nanoseconds until there is one
     */
    public long take(double perSecond, int burst, long now) {
        long each = (long) (SECOND / perSecond);
        while (true) {
            long before = fullAt.get();
            // More than the burst was taken at a lower rate.
            long full = Math.clamp(before - now, 0, each * burst);
            long wait = full - each * (burst - 1);
            if (fullAt.compareAndSet(before, now + full + (wait > 0 ? 0 : each))) {
                return Math.max(0, wait);
            }
        }
    }

    /** Whether {@link #take} would return a wait. */
    public boolean isSpent(double perSecond, int burst, long now) {
        long each = (long) (SECOND / perSecond);
        return fullAt.get() - now > each * (burst - 1);
    }

    /** Whether the whole burst is available. */
    public boolean isLikeNew(long now) {
        return fullAt.get() - now <= 0;
    }
}
