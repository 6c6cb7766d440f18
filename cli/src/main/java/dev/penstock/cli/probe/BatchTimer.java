package dev.penstock.cli.probe;

import dev.penstock.BatchEndings;
import dev.penstock.Service;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Times one batch call and checks the ending of each item. */
final class BatchTimer {
    /** Checks the answer of an item. */
    @FunctionalInterface
    interface Check<R> {
        /** Throws when the answer is wrong. */
        void at(R answer) throws IOException;
    }

    private BatchTimer() {}

    /**
     * Calls the batch once.
     *
     * @throws Exception the call or one of its items failed, or an answer is wrong
     */
    static <Q, R> Duration timed(Service<List<Q>, BatchEndings<R>> batch, List<Q> items, Check<R> check)
            throws Exception {
        long start = System.nanoTime();
        BatchEndings<R> endings = batch.call(items);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        for (int i = 0; i < endings.size(); i++) {
            check.at(endings.answer(i));
        }
        return took;
    }
}
