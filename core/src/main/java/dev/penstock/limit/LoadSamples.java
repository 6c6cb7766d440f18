package dev.penstock.limit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Collects finished attempts into a {@link LoadSample} for each stretch of {@value #STRETCH_NANOS} ns or more.
 *
 * <h2>Design note</h2>
 *
 * <p>Inside of a flow its meter counts answers anyway, so that they cost no atomic instruction here; only what ends
 * otherwise, which is rarer, is counted here. Who finishes an attempt after a stretch is over, and is the first to do so,
 * takes what the counts have grown by and hands the sample over on its own thread. Counts only grow, so nothing is counted
 * twice or lost, and samples come one at a time.
 *
 * <p>The meter counts an answer some nanoseconds after its permit went back, so the answer that ends a stretch belongs to
 * the next one. An answer that is to count as dropped is in the meter's count all the same, and is taken off again. That
 * may be seen before the answer itself is; what was told already is then not told less, but later.
 */
final class LoadSamples {
    static final long STRETCH_NANOS = 10_000_000;

    private final Consumer<LoadSample> to;
    private final LongSupplier meteredAnswers;
    private final LongSupplier meteredNanos;
    private final LongAdder answered = new LongAdder();
    private final LongAdder answeredNanos = new LongAdder();
    private final LongAdder takenBack = new LongAdder();
    private final LongAdder takenBackNanos = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder droppedNanos = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder failedNanos = new LongAdder();
    private final LongAdder ignored = new LongAdder();
    private final LongAdder idleNanos = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final AtomicBoolean closing = new AtomicBoolean();
    private long from;
    private long answeredBefore;
    private long answeredNanosBefore;
    private long droppedBefore;
    private long droppedNanosBefore;
    private long failedBefore;
    private long failedNanosBefore;
    private long ignoredBefore;
    private long idleNanosBefore;
    private long refusedBefore;
    private volatile long end;

    /** Nothing collected, and nobody else counts answers. */
    LoadSamples(long now, Consumer<LoadSample> to) {
        this(now, () -> 0, () -> 0, to);
    }

    /**
     * Nothing collected.
     *
     * @param now the reading of the ticker at which the first stretch begins
     * @param meteredAnswers how many answers somebody else has counted, which are not told here
     * @param meteredNanos the sum of their times
     * @param to takes the samples, one at a time, on threads that finish attempts
     */
    LoadSamples(long now, LongSupplier meteredAnswers, LongSupplier meteredNanos, Consumer<LoadSample> to) {
        this.to = to;
        this.meteredAnswers = meteredAnswers;
        this.meteredNanos = meteredNanos;
        this.answeredBefore = meteredAnswers.getAsLong();
        this.answeredNanosBefore = meteredNanos.getAsLong();
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
            case SUCCESS -> {
                answered.increment();
                answeredNanos.add(nanos);
            }
            case DROPPED -> {
                dropped.increment();
                droppedNanos.add(nanos);
            }
            case FAILED -> {
                failed.increment();
                failedNanos.add(nanos);
            }
            case IGNORED -> ignored.increment();
        }
        look(now, inFlight);
    }

    /** Whether the stretch is over, so that somebody is to look. */
    boolean isDue(long now) {
        return now - end >= 0;
    }

    /** Ends the stretch if it is over: for who has finished an attempt that somebody else counts. */
    void look(long now, int inFlight) {
        if (isDue(now) && closing.compareAndSet(false, true)) {
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

    /** How many came so far and found no permit free. */
    long refusedSoFar() {
        return refused.sum();
    }

    /** Adds the time for which a permit was out before its call began. */
    void idle(long nanos) {
        idleNanos.add(nanos);
    }

    /** Takes back an answer that somebody else counts, or is about to count: it is to be no answer here. */
    void takeBack(long nanos) {
        takenBack.increment();
        takenBackNanos.add(nanos);
    }

    private void close(long now, int inFlight) {
        if (!isDue(now)) {
            return;
        }
        long answeredNow = later(answeredBefore, meteredAnswers.getAsLong() + answered.sum() - takenBack.sum());
        long answeredNanosNow =
                later(answeredNanosBefore, meteredNanos.getAsLong() + answeredNanos.sum() - takenBackNanos.sum());
        // Sums only grow, so what is added while they are read belongs to the next sample.
        long droppedNow = dropped.sum();
        long droppedNanosNow = droppedNanos.sum();
        long failedNow = failed.sum();
        long failedNanosNow = failedNanos.sum();
        long ignoredNow = ignored.sum();
        long idleNanosNow = idleNanos.sum();
        long refusedNow = refused.sum();
        LoadSample sample = new LoadSample(
                from,
                now,
                answeredNow - answeredBefore,
                answeredNanosNow - answeredNanosBefore,
                droppedNow - droppedBefore,
                droppedNanosNow - droppedNanosBefore,
                failedNow - failedBefore,
                failedNanosNow - failedNanosBefore,
                ignoredNow - ignoredBefore,
                inFlight,
                idleNanosNow - idleNanosBefore,
                refusedNow - refusedBefore);
        answeredBefore = answeredNow;
        answeredNanosBefore = answeredNanosNow;
        droppedBefore = droppedNow;
        droppedNanosBefore = droppedNanosNow;
        failedBefore = failedNow;
        failedNanosBefore = failedNanosNow;
        ignoredBefore = ignoredNow;
        idleNanosBefore = idleNanosNow;
        refusedBefore = refusedNow;
        from = now;
        end = now + STRETCH_NANOS;
        to.accept(sample);
    }

    /** The later of two counts, which may have run over. */
    private static long later(long before, long now) {
        return now - before > 0 ? now : before;
    }
}
