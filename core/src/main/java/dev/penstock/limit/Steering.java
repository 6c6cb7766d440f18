package dev.penstock.limit;

import dev.penstock.limit.Permit.Outcome;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands what is measured to those who decide by it, one at a time, and lets the queue go by what they say.
 *
 * <p>Safe for many threads.
 */
final class Steering {
    private final LimitController controller;
    private final WaitQueue queue;
    private final LoadSamples samples;
    private final ServiceTime serviceTime = new ServiceTime();
    private final ReentrantLock oneAtATime = new ReentrantLock();

    Steering(LimitController controller, WaitQueue queue, long now) {
        this.controller = controller;
        this.queue = queue;
        this.samples = new LoadSamples(now, this::sampled);
    }

    /** Somebody found no permit free. */
    void refused() {
        samples.refused();
    }

    /** A permit is back that was out since {@code start}. */
    void finished(long start, long now, Outcome outcome) {
        samples.finished(now, now - start, queue.out(), outcome);
    }

    private void sampled(LoadSample sample) {
        LineRules rules = queue.rules();
        oneAtATime.lock();
        try {
            serviceTime.sample(sample);
            rules = rules.with(serviceTime);
            controller.sample(sample);
        } finally {
            oneAtATime.unlock();
            // Perhaps there are more permits now, for those who wait.
            queue.adapt(rules, sample.to());
        }
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
