package dev.penstock.meter;

import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/**
 * How long things took, from 1 us to 1 h with 2 significant digits, recorded by many threads at once.
 *
 * <p>One {@link AtomicHistogram} would make every caller wait for the same cache line, so there are a few, and a thread
 * picks its own by its number. Memory is bounded: about 30 kB for each of at most {@value #MOST_STRIPES}.
 *
 * <p>Safe for many threads.
 */
public final class Timings {
    /** Longer times are recorded as this: one hour. */
    public static final long LONGEST_NANOS = 3_600_000_000_000L;

    private static final long SHORTEST_NANOS = 1_000;
    private static final int DIGITS = 2;
    private static final int MOST_STRIPES = 8;

    private final AtomicHistogram[] stripes;

    /** Empty timings, striped for the processors that this JVM has. */
    public Timings() {
        int wanted = Math.min(MOST_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
        stripes = new AtomicHistogram[Integer.highestOneBit(wanted)];
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = new AtomicHistogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
        }
    }

    /**
     * Records one time.
     *
     * @param nanos how long it took; negative counts as 0, more than an hour as an hour
     */
    public void record(long nanos) {
        int stripe = (int) Thread.currentThread().threadId() & (stripes.length - 1);
        stripes[stripe].recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
    }

    /** No times at all, in the form of a snapshot. */
    public static Histogram none() {
        return new Histogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
    }

    /** All times recorded so far, in nanoseconds: a copy that does not change. */
    public Histogram snapshot() {
        Histogram all = none();
        for (AtomicHistogram stripe : stripes) {
            all.add(stripe);
        }
        return all;
    }
}
