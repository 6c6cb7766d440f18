package dev.penstock.limit;

import dev.penstock.limit.LimitController.Outcome;
import dev.penstock.meter.AttemptMeter;
import org.jspecify.annotations.Nullable;

/**
 * Samples the calls of a flow, passes the samples to the limit controller and to the estimate of service times, and applies
 * the results to the queue.
 *
 * <p>Thread-safe.
 */
final class LimitUpdater {
    private final SharedLimit target;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final boolean metered;
    private final ServiceTime serviceTime = new ServiceTime();
    private volatile boolean cutOff;
    private volatile long nextBlocked;

    LimitUpdater(SharedLimit target, WaitQueue queue, @Nullable AttemptMeter attempts, long now) {
        this.target = target;
        this.queue = queue;
        this.nextBlocked = now;
        this.metered = attempts != null;
        this.samples = attempts == null
                ? new LoadSamples(now, this::sampled)
                : new LoadSamples(now, attempts::answered, attempts::answeredNanos, this::sampled);
    }

    /** A request found no permit free. While no call ends, this is the only notification of the controller. */
    void blocked(long now) {
        samples.blocked();
        if (samples.isDue(now) && now - nextBlocked >= 0) {
            nextBlocked = now + LoadSamples.INTERVAL_NANOS;
            target.blocked(now, samples.blockedTotal());
        }
    }

    /**
     * A permit was released.
     *
     * @param idle the time that it was held before its call began
     * @param start when the call began
     */
    void finished(long idle, long start, long now, Outcome outcome) {
        samples.idle(idle);
        samples.finished(now, now - start, queue.out(), outcome);
    }

    /** The target has answered, and the permit was released. */
    void answered(boolean busy, long idle, long start, long now) {
        if (metered && !busy) {
            samples.idle(idle);
            if (samples.isDue(now)) {
                samples.closeIfDue(now, queue.out());
            }
            return;
        }
        if (metered) {
            samples.subtractAnswer(now - start);
        }
        finished(idle, start, now, busy ? Outcome.DROPPED : Outcome.SUCCESS);
    }

    private void sampled(LoadSample sample) {
        serviceTime.sample(sample);
        try {
            if (!cutOff) {
                target.sample(sample);
            }
        } finally {
            // There may be more permits now, for waiting requests.
            queue.adapt(policy -> policy.with(serviceTime), sample.to());
        }
    }

    /** Stops passing samples to the controller: they do not show the capacity of the target. */
    void cutOff() {
        cutOff = true;
        target.cutOff();
    }

    void resumed(long now) {
        target.resumed(now);
        cutOff = false;
    }
}
