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

    private record CountAndTime(LongAdder count, LongAdder nanos) {
        CountAndTime() {
            this(new LongAdder(), new LongAdder());
        }

        void add(long time) {
            count.increment();
            nanos.add(time);
        }
    }

    private final Consumer<LoadSample> to;
    private final LongSupplier meteredAnswers;
    private final LongSupplier meteredNanos;
    private final CountAndTime answered = new CountAndTime();
    private final CountAndTime subtracted = new CountAndTime();
    private final CountAndTime dropped = new CountAndTime();
    private final CountAndTime failed = new CountAndTime();
    private final LongAdder idleNanos = new LongAdder();
    private final LongAdder blocked = new LongAdder();
    private final AtomicBoolean closing = new AtomicBoolean();
    /** The total counts at the end of the last interval. */
    private LoadSample before;

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
        this.before =
                new LoadSample(now, now, meteredAnswers.getAsLong(), meteredNanos.getAsLong(), 0, 0, 0, 0, 0, 0, 0);
        this.end = now + INTERVAL_NANOS;
    }

    /**
     * Counts one finished attempt.
     *
     * @param now when it finished
     * @param nanos its time at the target
     * @param inFlight the number of permits held, without its own
     * @param outcome how its permit was released
     */
    void finished(long now, long nanos, int inFlight, LimitController.Outcome outcome) {
        switch (outcome) {
            case SUCCESS -> answered.add(nanos);
            case DROPPED -> dropped.add(nanos);
            case FAILED -> failed.add(nanos);
            case IGNORED -> {}
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
    void blocked() {
        blocked.increment();
    }

    /** The number of requests so far that found no permit free. */
    long blockedTotal() {
        return blocked.sum();
    }

    /** Adds the time that a permit was held before its call began. */
    void idle(long nanos) {
        if (nanos > 0) {
            idleNanos.add(nanos);
        }
    }

    /** Subtracts an answer that the meter counts: it must not count as an answer here. */
    void subtractAnswer(long nanos) {
        subtracted.add(nanos);
    }

    private void close(long now, int inFlight) {
        if (!isDue(now)) {
            return;
        }
        // Sums only grow, so additions during the reads belong to the next sample.
        LoadSample total = new LoadSample(
                before.to(),
                now,
                later(before.answered(), meteredAnswers.getAsLong() + answered.count.sum() - subtracted.count.sum()),
                later(before.answeredNanos(), meteredNanos.getAsLong() + answered.nanos.sum() - subtracted.nanos.sum()),
                dropped.count.sum(),
                dropped.nanos.sum(),
                failed.count.sum(),
                failed.nanos.sum(),
                inFlight,
                idleNanos.sum(),
                blocked.sum());
        LoadSample sample = total.since(before);
        before = total;
        end = now + INTERVAL_NANOS;
        to.accept(sample);
    }

    /** The later of two counts, which may have overflowed. */
    private static long later(long earlier, long now) {
        return now - earlier > 0 ? now : earlier;
    }
}
