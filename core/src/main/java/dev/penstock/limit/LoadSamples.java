package dev.penstock.limit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Collects finished attempts into a {@link LoadSample} for each stretch of {@value #STRETCH_NANOS} ns or more.
 *
 * <h2>Design note</h2>
 *
 * <p>An answered attempt costs one atomic addition: its count stands in the upper {@value #COUNT_BITS} bits of a cell, its
 * time, in steps of 256 ns, in the lower ones. Cells are striped by thread and a cache line apart. Who finishes an attempt
 * after a stretch is over, and is the first to do so, empties the cells and hands the sample over on its own thread; others
 * go on meanwhile, and what they add belongs to the next sample. So nothing is counted twice or lost, and samples come one
 * at a time.
 *
 * <p>A cell holds {@value #LONGEST_NANOS} ns 45,000 times before its time would run over into its count; longer attempts
 * count as that long.
 */
final class LoadSamples {
    static final long STRETCH_NANOS = 10_000_000;

    private static final int COUNT_BITS = 20;
    private static final int TIME_BITS = Long.SIZE - COUNT_BITS;
    private static final long ONE = 1L << TIME_BITS;
    private static final int STEP_BITS = 8;
    private static final long LONGEST_NANOS = 100_000_000_000L;
    private static final int MOST_STRIPES = 8;
    private static final int CACHE_LINE_LONGS = 16;

    private final Consumer<LoadSample> to;
    private final AtomicLongArray answered;
    private final int mask;
    private final LongAdder dropped = new LongAdder();
    private final LongAdder droppedNanos = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final AtomicBoolean closing = new AtomicBoolean();
    private long from;
    private long droppedBefore;
    private long droppedNanosBefore;
    private long ignoredBefore;
    private long refusedBefore;
    private volatile long end;

    /**
     * Nothing collected.
     *
     * @param now the reading of the ticker at which the first stretch begins
     * @param to takes the samples, one at a time, on threads that finish attempts
     */
    LoadSamples(long now, Consumer<LoadSample> to) {
        this.to = to;
        int wanted = Math.min(MOST_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
        int stripes = Integer.highestOneBit(wanted);
        this.mask = stripes - 1;
        this.answered = new AtomicLongArray(stripes * CACHE_LINE_LONGS);
        this.from = now;
        this.end = now + STRETCH_NANOS;
    }

    /**
     * Takes one finished attempt.
     *
     * @param now when it finished
     * @param nanos how long it was at the target
     * @param inFlight how many permits are out without its own
     * @param outcome how its permit was closed
     */
    void finished(long now, long nanos, int inFlight, Permit.Outcome outcome) {
        switch (outcome) {
            case SUCCESS -> answered.getAndAdd(cell(), ONE + (Math.clamp(nanos, 0, LONGEST_NANOS) >> STEP_BITS));
            case DROPPED -> {
                dropped.increment();
                droppedNanos.add(nanos);
            }
            case IGNORED -> ignored.increment();
        }
        if (now - end >= 0 && closing.compareAndSet(false, true)) {
            try {
                close(now, inFlight);
            } finally {
                closing.set(false);
            }
        }
    }

    /** Counts one who came and found no permit free. */
    void refused() {
        refused.increment();
    }

    private int cell() {
        return ((int) Thread.currentThread().threadId() & mask) * CACHE_LINE_LONGS;
    }

    private void close(long now, int inFlight) {
        if (now - end < 0) {
            return;
        }
        long count = 0;
        long steps = 0;
        for (int cell = 0; cell < answered.length(); cell += CACHE_LINE_LONGS) {
            long held = answered.getAndSet(cell, 0);
            count += held >>> TIME_BITS;
            steps += held & (ONE - 1);
        }
        // Sums only grow, so what is added while they are read belongs to the next sample.
        long droppedNow = dropped.sum();
        long droppedNanosNow = droppedNanos.sum();
        long ignoredNow = ignored.sum();
        long refusedNow = refused.sum();
        LoadSample sample = new LoadSample(
                from,
                now,
                count,
                // A step is counted as its middle.
                (steps << STEP_BITS) + (count << (STEP_BITS - 1)),
                droppedNow - droppedBefore,
                droppedNanosNow - droppedNanosBefore,
                ignoredNow - ignoredBefore,
                inFlight,
                refusedNow - refusedBefore);
        droppedBefore = droppedNow;
        droppedNanosBefore = droppedNanosNow;
        ignoredBefore = ignoredNow;
        refusedBefore = refusedNow;
        from = now;
        end = now + STRETCH_NANOS;
        to.accept(sample);
    }
}
