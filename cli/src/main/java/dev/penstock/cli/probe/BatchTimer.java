package dev.penstock.cli.probe;

import dev.penstock.Service;
import dev.penstock.collapse.BatchEndings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Times one call that carries many items, and looks at each of their endings. */
final class BatchTimer {
    /** Whether an item's answer is right. */
    @FunctionalInterface
    interface Check<R> {
        /** Throws when it is not. */
        void at(R answer) throws IOException;
    }

    private BatchTimer() {}

    /**
     * Calls once.
     *
     * @throws Exception the call, or one of its items, was not answered as it should be
     */
    static <Q, R> Duration timed(Service<List<Q>, BatchEndings<R>> batch, List<Q> items, Check<R> check) throws Exception {
        long start = System.nanoTime();
        BatchEndings<R> endings = batch.call(items);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        for (int i = 0; i < endings.size(); i++) {
            check.at(endings.answer(i));
        }
        return took;
    }
}
