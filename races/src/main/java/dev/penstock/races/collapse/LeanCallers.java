package dev.penstock.races.collapse;

import dev.penstock.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Callers who ask again as soon as they are answered, and do nothing but check and count: for calls that take no time, where a
 * load that times each request would be most of what is measured.
 *
 * <p>Safe for many threads.
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

    /** Begins, each with items of his own. */
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

    /** Right answers so far. */
    long answers() {
        return answers.sum();
    }

    /** Anything else so far. */
    long errors() {
        return errors.sum();
    }

    /**
     * Lets nobody ask again.
     *
     * @return how many callers had no answer in that time
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
