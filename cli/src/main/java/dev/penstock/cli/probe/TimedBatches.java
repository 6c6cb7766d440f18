package dev.penstock.cli.probe;

import dev.penstock.BatchEndings;
import dev.penstock.Service;
import dev.penstock.lab.probe.ProbePeer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Times batch calls, and checks the ending of each item.
 *
 * @param batch sends batches
 * @param most the maximum items per call
 * @param items creates items
 * @param check checks the answer of an item
 */
record TimedBatches<Q, R>(Service<List<Q>, BatchEndings<R>> batch, int most, Supplier<Q> items, Check<R> check)
        implements ProbePeer.Batches {
    /** Checks the answer of an item. */
    @FunctionalInterface
    interface Check<R> {
        /** Throws when the answer is wrong. */
        void at(R answer) throws IOException;
    }

    @Override
    public Duration call(int count) throws Exception {
        List<Q> together = Stream.generate(items).limit(count).toList();
        long start = System.nanoTime();
        BatchEndings<R> endings = batch.call(together);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        for (int i = 0; i < endings.size(); i++) {
            check.at(endings.answer(i));
        }
        return took;
    }
}
