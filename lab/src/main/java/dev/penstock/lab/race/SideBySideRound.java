package dev.penstock.lab.race;

import dev.penstock.Ticker;
import dev.penstock.lab.race.Lineup.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the blocks of one round side by side. They are prepared one after the other. When each is ready or has failed, all start
 * their loads, in the same order, with {@link Course#stagger()} in between.
 *
 * <p>For one round and one thread.
 */
final class SideBySideRound {
    private final Duration stagger;
    private final Ticker ticker;
    private final CountDownLatch allReady = new CountDownLatch(1);
    /** Written before {@link #allReady} opens. */
    private long start;

    SideBySideRound(Duration stagger, Ticker ticker) {
        this.stagger = stagger;
        this.ticker = ticker;
    }

    /** Holds a contestant that is ready until its load is to start. */
    @FunctionalInterface
    interface StartGate {
        void await() throws InterruptedException;

        /** The part of a scene that a contestant uses, behind this gate. */
        default Scene before(Scene scene) {
            return new Scene() {
                @Override
                public Map<String, String> parameters() {
                    return scene.parameters();
                }

                @Override
                public void begin() throws InterruptedException {
                    await();
                    scene.begin();
                }
            };
        }
    }

    /** Runs a block to its end. */
    @FunctionalInterface
    interface BlockTask {
        void run(Place place, StartGate gate) throws InterruptedException;
    }

    /**
     * Runs all blocks to their end.
     *
     * @param started called when all are ready
     * @throws InterruptedException when the race is stopped; no block runs any more then
     */
    void run(List<Place> order, BlockTask task, Runnable started) throws InterruptedException {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("race-block-", 1).factory())) {
            try {
                List<Future<?>> blocks = prepare(order, task, threads);
                started.run();
                start = ticker.nanos();
                allReady.countDown();
                for (Future<?> block : blocks) {
                    block.get();
                }
            } finally {
                threads.shutdownNow();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InterruptedException stopped) {
                throw stopped;
            }
            throw new IllegalStateException("a block could not be run", e.getCause());
        }
    }

    private List<Future<?>> prepare(List<Place> order, BlockTask task, ExecutorService threads)
            throws InterruptedException {
        List<Future<?>> blocks = new ArrayList<>();
        for (Place place : order) {
            long after = stagger.multipliedBy(blocks.size()).toNanos();
            CountDownLatch readyOrEnded = new CountDownLatch(1);
            blocks.add(threads.submit(() -> {
                try {
                    task.run(place, () -> {
                        readyOrEnded.countDown();
                        awaitStart(after);
                    });
                } finally {
                    readyOrEnded.countDown();
                }
                return null;
            }));
            readyOrEnded.await();
        }
        return blocks;
    }

    private void awaitStart(long after) throws InterruptedException {
        allReady.await();
        while (start + after - ticker.nanos() > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the race was stopped");
            }
            ticker.parkUntil(start + after);
        }
    }
}
