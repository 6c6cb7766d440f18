package dev.penstock.meter;

import org.HdrHistogram.Histogram;

/**
 * How long things took, from 1 us to 1 h with 2 significant digits, recorded by many threads at once.
 *
 * <p>Recording is one atomic add to a count of the calling thread's stripe; the {@link Histogram} is made when somebody asks
 * for it. Memory is bounded: about 28 kB for each of at most 8 stripes.
 *
 * <p>Safe for many threads.
 */
public final class Timings {
    /** Longer times are recorded as this: one hour. */
    public static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final long SHORTEST_NANOS = 1_000;
    private static final int DIGITS = 2;

    private final StripedCounters counts = new StripedCounters(TimeBuckets.SLOTS);

    /** Empty timings, striped for the processors that this JVM has. */
    public Timings() {}

    /**
     * Records one time.
     *
     * @param nanos how long it took; negative counts as 0, more than an hour as an hour
     */
    public void record(long nanos) {
        counts.add(TimeBuckets.slot(nanos));
    }

    /** No times at all, in the form of a snapshot. */
    public static Histogram none() {
        return new Histogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
    }

    /** All times recorded so far, in nanoseconds: a copy that does not change. */
    public Histogram snapshot() {
        Histogram all = none();
        addTo(all, counts, 0);
        return all;
    }

    /** Adds the times to a histogram of which a scale's counts begin at the given slot. */
    static void addTo(Histogram all, StripedCounters counts, int first) {
        for (int slot = 0; slot < TimeBuckets.SLOTS; slot++) {
            long count = counts.sum(first + slot);
            if (count > 0) {
                all.recordValueWithCount(TimeBuckets.nanos(slot), count);
            }
        }
    }
}
