package dev.penstock.meter;

import org.HdrHistogram.Histogram;

/**
 * A concurrent histogram of times, from 1 us to 1 h with 2 significant digits.
 *
 * <p>Recording is one atomic add to a counter in the calling thread's stripe; the {@link Histogram} is built when it is read.
 * Memory is bounded: about 28 kB for each of at most 8 stripes.
 *
 * <p>Thread-safe.
 */
public final class Timings {
    /** The longest recorded time, 1 h; longer times are recorded as 1 h. */
    public static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final long SHORTEST_NANOS = 1_000;
    private static final int DIGITS = 2;

    private final StripedCounters counts = new StripedCounters(TimeBuckets.SLOTS);

    /** An empty histogram, striped by the number of processors of this JVM. */
    public Timings() {}

    /**
     * Records one time.
     *
     * @param nanos the time in nanoseconds; clamped to 0 to 1 h
     */
    public void record(long nanos) {
        counts.add(TimeBuckets.slot(nanos));
    }

    /** An empty snapshot. */
    public static Histogram none() {
        return new Histogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
    }

    /** A copy of all times recorded so far, in nanoseconds. */
    public Histogram snapshot() {
        return of(counts, 0);
    }

    /** A copy of the times whose buckets begin at the given slot. */
    static Histogram of(StripedCounters counts, int first) {
        Histogram all = none();
        for (int slot = 0; slot < TimeBuckets.SLOTS; slot++) {
            long count = counts.sum(first + slot);
            if (count > 0) {
                all.recordValueWithCount(TimeBuckets.nanos(slot), count);
            }
        }
        return all;
    }
}
