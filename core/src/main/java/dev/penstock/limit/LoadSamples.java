package dev.penstock.limit;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Collects finished attempts into one {@link LoadSample} per interval of {@value #INTERVAL_NANOS} ns or more.
 *
 * <h2>Design note</h2>
 *
 * <p>Inside a flow the attempt meter counts answers anyway, so they cost no atomic instruction here; only the rarer endings are
 * counted here. The first thread that finishes an attempt after the interval is over builds the sample from the increase of
 * the counts, and passes it on itself. Counts only grow, so nothing is counted twice or lost, and samples are passed on one
 * at a time.
 *
 * <p>An answer that must count as dropped is still counted by the meter, and is subtracted here. An interval may end in
 * between; a count that was already reported is then never reported lower, but later.
 */
final class LoadSamples {
    static final long INTERVAL_NANOS = 10_000_000;

    private final Consumer<LoadSample> to;
    private final LongSupplier meteredAnswers;
    private final LongSupplier meteredNanos;
    private final LongAdder answered = new LongAdder();
    private final LongAdder answeredNanos = new LongAdder();
    private final LongAdder subtracted = new LongAdder();
    private final LongAdder subtractedNanos = new LongAdder();
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

    /** Without a meter: answers are counted here. */
    LoadSamples(long now, Consumer<LoadSample> to) {
        this(now, () -> 0, () -> 0, to);
    }

    /**
     * With a meter.
     *
     * @param now the reading of the ticker at which the first interval begins
     * @param meteredAnswers the number of answers counted by the meter; these are not passed to {@link #finished}
     * @param meteredNanos the sum of their times
     * @param to receives the samples, one at a time, on threads that finish attempts
     */
    LoadSamples(long now, LongSupplier meteredAnswers, LongSupplier meteredNanos, Consumer<LoadSample> to) {
        this.to = to;
        this.meteredAnswers = meteredAnswers;
        this.meteredNanos = meteredNanos;
        this.answeredBefore = meteredAnswers.getAsLong();
        this.answeredNanosBefore = meteredNanos.getAsLong();
        this.from = now;
        this.end = now + INTERVAL_NANOS;
    }

    /**
     * Counts one finished attempt.
     *
     * @param now when it finished
     * @param nanos its time at the target
     * @param inFlight the number of permits held, without its own
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
        closeIfDue(now, inFlight);
    }

    /** Whether the interval is over. */
    boolean isDue(long now) {
        return now - end >= 0;
    }

    /** Ends the interval if it is over. For attempts that the meter counts. */
    void closeIfDue(long now, int inFlight) {
        if (isDue(now) && closing.compareAndSet(false, true)) {
            try {
                close(now, inFlight);
            } finally {
                closing.set(false);
            }
        }
    }

    /** Counts a request that found no permit free. */
    void refused() {
        refused.increment();
    }

    /** The number of requests so far that found no permit free. */
    long refusedTotal() {
        return refused.sum();
    }

    /** Adds the time that a permit was held before its call began. */
    void idle(long nanos) {
        idleNanos.add(nanos);
    }

    /** Subtracts an answer that the meter counts: it must not count as an answer here. */
    void subtractAnswer(long nanos) {
        subtracted.increment();
        subtractedNanos.add(nanos);
    }

    private void close(long now, int inFlight) {
        if (!isDue(now)) {
            return;
        }
        long answeredNow = later(answeredBefore, meteredAnswers.getAsLong() + answered.sum() - subtracted.sum());
        long answeredNanosNow =
                later(answeredNanosBefore, meteredNanos.getAsLong() + answeredNanos.sum() - subtractedNanos.sum());
        // Sums only grow, so additions during the reads belong to the next sample.
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
        end = now + INTERVAL_NANOS;
        to.accept(sample);
    }

    /** The later of two counts, which may have overflowed. */
    private static long later(long before, long now) {
        return now - before > 0 ? now : before;
    }
}
