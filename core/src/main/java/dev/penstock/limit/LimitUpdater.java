package dev.penstock.limit;

import dev.penstock.limit.Permit.Outcome;
import dev.penstock.meter.Meter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a flow does at its target, hands that to those who decide by it, and lets the queue go by what they say.
 *
 * <p>Safe for many threads.
 */
final class LimitUpdater {
    private final TargetLimit target;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final boolean metered;
    private final ServiceTime serviceTime = new ServiceTime();
    private volatile boolean cutOff;
    private volatile long nextBlocked;

    LimitUpdater(TargetLimit target, WaitQueue queue, @Nullable Meter meter, long now) {
        this.target = target;
        this.queue = queue;
        this.nextBlocked = now;
        this.metered = meter != null;
        this.samples = meter == null
                ? new LoadSamples(now, this::sampled)
                : new LoadSamples(now, meter::attemptsAnswered, meter::answeredNanos, this::sampled);
    }

    /** A call found no permit free. While no call ends, nobody else would tell the controller. */
    void refused(long now) {
        samples.refused();
        if (samples.isDue(now) && now - nextBlocked >= 0) {
            nextBlocked = now + LoadSamples.STRETCH_NANOS;
            if (target.blocked(now, samples.refusedSoFar())) {
                queue.adapt(UnaryOperator.identity(), now);
            }
        }
    }

    /** A call has ended whose permit was out for so long before it began. */
    void idle(long nanos) {
        if (nanos > 0) {
            samples.idle(nanos);
        }
    }

    /** A permit is back that was out since {@code start}. */
    void finished(long start, long now, Outcome outcome) {
        samples.finished(now, now - start, queue.out(), outcome);
    }

    /** The target has answered, and the permit is back that was out since {@code start}. */
    void answered(boolean busy, long start, long now) {
        if (!metered) {
            finished(start, now, busy ? Outcome.DROPPED : Outcome.SUCCESS);
            return;
        }
        if (busy) {
            samples.takeBack(now - start);
            finished(start, now, Outcome.DROPPED);
        } else if (samples.isDue(now)) {
            samples.look(now, queue.out());
        }
    }

    private void sampled(LoadSample sample) {
        UnaryOperator<QueuePolicy> measured = UnaryOperator.identity();
        try {
            serviceTime.sample(sample);
            QueuePolicy now = queue.rules().with(serviceTime);
            measured = rules -> rules.measured(now);
            if (!cutOff) {
                target.sample(sample);
            }
        } finally {
            // Perhaps there are more permits now, for those who wait.
            queue.adapt(measured, sample.to());
        }
    }

    /** Keeps what was learned until now for the next process. */
    void keepLearned() {
        target.keepLearned();
    }

    /** Holds the controller to a number; those who wait may find a permit by it. */
    void pin(int permits, long now) {
        target.pin(permits);
        queue.adapt(UnaryOperator.identity(), now);
    }

    void unpin(long now) {
        target.unpin(now);
        queue.adapt(UnaryOperator.identity(), now);
    }

    /** What is measured from now on says nothing about the target. */
    void cutOff(long now) {
        cutOff = true;
        target.cutOff(now);
    }

    void resumed(long now) {
        target.resumed(now);
        cutOff = false;
    }
}
