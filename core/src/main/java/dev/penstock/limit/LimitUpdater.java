package dev.penstock.limit;

import dev.penstock.limit.Permit.Outcome;
import dev.penstock.meter.AttemptMeter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Samples the calls of a flow, passes the samples to the limit controller and to the estimate of service times, and applies
 * the results to the queue.
 *
 * <p>Thread-safe.
 */
final class LimitUpdater {
    private final TargetLimit target;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final boolean metered;
    private final ServiceTime serviceTime = new ServiceTime();
    private volatile boolean cutOff;
    private volatile long nextBlocked;

    LimitUpdater(TargetLimit target, WaitQueue queue, @Nullable AttemptMeter attempts, long now) {
        this.target = target;
        this.queue = queue;
        this.nextBlocked = now;
        this.metered = attempts != null;
        this.samples = attempts == null
                ? new LoadSamples(now, this::sampled)
                : new LoadSamples(now, attempts::answered, attempts::answeredNanos, this::sampled);
    }

    /** A request found no permit free. While no call ends, this is the only notification of the controller. */
    void refused(long now) {
        samples.refused();
        if (samples.isDue(now) && now - nextBlocked >= 0) {
            nextBlocked = now + LoadSamples.INTERVAL_NANOS;
            if (target.blocked(now, samples.refusedTotal())) {
                queue.adapt(UnaryOperator.identity(), now);
            }
        }
    }

    /** A call has ended; its permit was held for this time before the call began. */
    void idle(long nanos) {
        if (nanos > 0) {
            samples.idle(nanos);
        }
    }

    /** A permit was released that had been held since {@code start}. */
    void finished(long start, long now, Outcome outcome) {
        samples.finished(now, now - start, queue.out(), outcome);
    }

    /** The target has answered, and the permit held since {@code start} was released. */
    void answered(boolean busy, long start, long now) {
        if (!metered) {
            finished(start, now, busy ? Outcome.DROPPED : Outcome.SUCCESS);
            return;
        }
        if (busy) {
            samples.subtractAnswer(now - start);
            finished(start, now, Outcome.DROPPED);
        } else if (samples.isDue(now)) {
            samples.closeIfDue(now, queue.out());
        }
    }

    private void sampled(LoadSample sample) {
        UnaryOperator<QueuePolicy> measured = UnaryOperator.identity();
        try {
            serviceTime.sample(sample);
            QueuePolicy now = queue.policy().with(serviceTime);
            measured = policy -> policy.measured(now);
            if (!cutOff) {
                target.sample(sample);
            }
        } finally {
            // There may be more permits now, for waiting requests.
            queue.adapt(measured, sample.to());
        }
    }

    /** Stores the learned limit for the next process. */
    void keepLearned() {
        target.keepLearned();
    }

    /** Pins the number of permits; waiting requests get additional permits at once. */
    void pin(int permits, long now) {
        target.pin(permits);
        queue.adapt(UnaryOperator.identity(), now);
    }

    void unpin(long now) {
        target.unpin(now);
        queue.adapt(UnaryOperator.identity(), now);
    }

    /** Stops passing samples to the controller: they do not show the capacity of the target. */
    void cutOff(long now) {
        cutOff = true;
        target.cutOff(now);
    }

    void resumed(long now) {
        target.resumed(now);
        cutOff = false;
    }
}
