package dev.penstock.races.collapse;

import dev.penstock.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Closed-model callers without think time that only check and count answers: for calls that take no time, where timing
 * each request would dominate the measurement.
 *
 * <p>Thread-safe.
 */
final class LeanCallers {
    private final Service<Long, Long> batcher;
    private final LongAdder answers = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> callers = new ArrayList<>();

    private LeanCallers(Service<Long, Long> batcher) {
        this.batcher = batcher;
    }

    /** Starts the callers, each with distinct items. */
    static LeanCallers start(Service<Long, Long> batcher, int callers) {
        LeanCallers all = new LeanCallers(batcher);
        for (int caller = 0; caller < callers; caller++) {
            long first = caller;
            all.callers.add(Thread.ofVirtual().start(() -> all.ask(first, callers)));
        }
        return all;
    }

    private void ask(long first, int step) {
        for (long item = first; !over.get(); item += step) {
            try {
                (batcher.call(item) == SimulatedApi.answerTo(item) ? answers : errors).increment();
            } catch (Exception e) {
                errors.increment();
            }
        }
    }

    /** Correct answers so far. */
    long answers() {
        return answers.sum();
    }

    /** All other outcomes so far. */
    long errors() {
        return errors.sum();
    }

    /**
     * Stops the callers.
     *
     * @return the number of callers without an answer in time
     */
    int end(Duration atMost) throws InterruptedException {
        over.set(true);
        long until = System.nanoTime() + atMost.toNanos();
        int lost = 0;
        for (Thread caller : callers) {
            if (!caller.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())))) {
                lost++;
            }
        }
        return lost;
    }
}
