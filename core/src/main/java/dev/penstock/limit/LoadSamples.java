package dev.penstock.limit;

import dev.penstock.limit.LimitController.Outcome;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Collects finished calls into one sample per interval of {@value #INTERVAL_NANOS} ns or more. The first thread that finishes a
 * call after the interval is over builds the sample from the increase of the counts, and passes it on itself, one at a time.
 *
 * <p>Thread-safe.
 */
final class LoadSamples {
    static final long INTERVAL_NANOS = 10_000_000;

    /**
     * The calls that finished in an interval; times are from the permit to the end.
     *
     * @param from the reading of the ticker at its start
     * @param to the reading at its end; later than {@code from}
     * @param answered the number answered in time
     * @param answeredNanos the sum of their times
     * @param finished the number answered or dropped
     * @param finishedNanos the sum of their times
     * @param inFlight the number of permits held at the end
     */
    record Sample(
            long from, long to, long answered, long answeredNanos, long finished, long finishedNanos, int inFlight) {}

    private final Consumer<Sample> receiver;
    private final LongAdder answered = new LongAdder();
    private final LongAdder answeredNanos = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private final LongAdder finishedNanos = new LongAdder();
    private final AtomicBoolean closing = new AtomicBoolean();
    private Sample totals;
    private volatile long end;

    /** The reading of the ticker at which the first interval begins, and what receives the samples. */
    LoadSamples(long now, Consumer<Sample> receiver) {
        this.receiver = receiver;
        this.totals = new Sample(now, now, 0, 0, 0, 0, 0);
        this.end = now + INTERVAL_NANOS;
    }

    /**
     * Counts a call that has finished.
     *
     * @param nanos how long it had its permit
     * @param inFlight the number of permits held, without its own
     */
    void finished(long now, long nanos, int inFlight, Outcome outcome) {
        if (outcome == Outcome.SUCCESS) {
            answered.increment();
            answeredNanos.add(nanos);
        }
        if (outcome == Outcome.SUCCESS || outcome == Outcome.DROPPED) {
            finished.increment();
            finishedNanos.add(nanos);
        }
        if (isDue(now) && closing.compareAndSet(false, true)) {
            try {
                close(now, inFlight);
            } finally {
                closing.set(false);
            }
        }
    }

    private boolean isDue(long now) {
        return now - end >= 0;
    }

    private void close(long now, int inFlight) {
        if (!isDue(now)) {
            return;
        }
        Sample last = totals;
        totals = new Sample(
                last.to, now, answered.sum(), answeredNanos.sum(), finished.sum(), finishedNanos.sum(), inFlight);
        end = now + INTERVAL_NANOS;
        receiver.accept(new Sample(
                last.to,
                now,
                totals.answered - last.answered,
                totals.answeredNanos - last.answeredNanos,
                totals.finished - last.finished,
                totals.finishedNanos - last.finishedNanos,
                inFlight));
    }
}
