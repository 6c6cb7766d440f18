package dev.penstock.limit;

import dev.penstock.limit.LimitController.Outcome;
import dev.penstock.limit.LoadSamples.Sample;
import org.jspecify.annotations.Nullable;

/**
 * Passes the calls of a flow to the limit of its target and to the estimate of service times, and applies that to the queue.
 *
 * <p>Thread-safe.
 */
final class LimitUpdater {
    private final SharedLimit target;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final ServiceTime serviceTime = new ServiceTime();
    private volatile boolean cutOff;

    LimitUpdater(SharedLimit target, WaitQueue queue, long now) {
        this.target = target;
        this.queue = queue;
        this.samples = new LoadSamples(now, this::sampled);
    }

    /** A request found no permit free. */
    void blocked(long now) {
        target.blocked();
        Turn turn = turn(now);
        if (turn != null) {
            turn.block();
            target.update(now);
        }
    }

    /** A call begins. Null when it does not show the capacity of the target. */
    @Nullable
    Turn begin(long start) {
        Turn turn = turn(start);
        if (turn != null) {
            turn.start(start);
        }
        return turn;
    }

    private @Nullable Turn turn(long now) {
        return cutOff ? null : target.turn(now);
    }

    /** A call has ended, and its permit was released. */
    void finished(@Nullable Turn turn, long start, long now, Outcome outcome) {
        if (turn != null) {
            // The call may have begun before the breaker opened.
            turn.end(start, now, cutOff ? Outcome.IGNORED : outcome);
        }
        samples.finished(now, now - start, queue.out(), outcome);
        if (turn != null) {
            target.update(now);
        }
    }

    private void sampled(Sample sample) {
        serviceTime.sample(sample);
        queue.adapt(policy -> policy.with(serviceTime), sample.to());
    }

    /** From now on calls do not show the capacity of the target. */
    void cutOff() {
        cutOff = true;
        target.cutOff();
    }

    void resumed(long now) {
        target.resumed(now);
        cutOff = false;
    }
}
