package dev.penstock.limit;

import dev.penstock.limit.Permit.Outcome;
import dev.penstock.meter.Meter;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Hands what is measured to those who decide by it, one at a time, and lets the queue go by what they say.
 *
 * <p>Safe for many threads.
 */
final class Steering {
    private final LimitController controller;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final boolean metered;
    private final @Nullable LearnedLimit learned;
    private final ServiceTime serviceTime = new ServiceTime();
    private final ReentrantLock oneAtATime = new ReentrantLock();

    Steering(
            LimitController controller,
            WaitQueue queue,
            @Nullable Meter meter,
            @Nullable LearnedLimit learned,
            long now) {
        this.controller = controller;
        this.queue = queue;
        this.learned = learned;
        this.metered = meter != null;
        this.samples = meter == null
                ? new LoadSamples(now, this::sampled)
                : new LoadSamples(now, meter::attemptsAnswered, meter::answeredNanos, this::sampled);
    }

    /** Somebody found no permit free. */
    void refused() {
        samples.refused();
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
        UnaryOperator<LineRules> measured = UnaryOperator.identity();
        oneAtATime.lock();
        try {
            serviceTime.sample(sample);
            LineRules now = queue.rules().with(serviceTime);
            measured = rules -> rules.measured(now);
            controller.sample(sample);
        } finally {
            oneAtATime.unlock();
            // Perhaps there are more permits now, for those who wait.
            queue.adapt(measured, sample.to());
        }
        if (learned != null) {
            learned.offer(controller.learned(), sample.to());
        }
    }

    /** Keeps what was learned until now for the next process. */
    void keepLearned() {
        if (learned != null) {
            learned.keep(controller.learned());
        }
    }

    /** Holds the controller to a number; those who wait may find a permit by it. */
    void pin(int permits, long now) {
        oneAtATime.lock();
        try {
            controller.pin(permits);
        } finally {
            oneAtATime.unlock();
        }
        queue.adapt(UnaryOperator.identity(), now);
    }

    void unpin(long now) {
        oneAtATime.lock();
        try {
            controller.unpin(now);
        } finally {
            oneAtATime.unlock();
        }
        queue.adapt(UnaryOperator.identity(), now);
    }

    void cutOff(long now) {
        oneAtATime.lock();
        try {
            controller.cutOff(now);
        } finally {
            oneAtATime.unlock();
        }
    }

    void resumed(long now) {
        oneAtATime.lock();
        try {
            controller.resumed(now);
        } finally {
            oneAtATime.unlock();
        }
    }
}
