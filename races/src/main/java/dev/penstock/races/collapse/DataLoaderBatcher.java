package dev.penstock.races.collapse;

import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.dataloader.DataLoader;
import org.dataloader.DataLoaderFactory;
import org.dataloader.DataLoaderOptions;
import org.dataloader.stats.NoOpStatisticsCollector;
import org.jspecify.annotations.Nullable;

/**
 * java-dataloader with one loader for all callers. It forms batches and leaves the dispatching to its user: here a
 * separate thread dispatches, periodically or as soon as a request waits. Batches are answered by futures, as its API
 * requires. Its cache is off: requests here are all different, and it would keep everything it loaded.
 */
final class DataLoaderBatcher implements BatchingClient {
    private final DataLoader<Long, Long> loader;
    private final Runnable atTheEnd;
    /** Woken by each request; null with periodic dispatching. */
    private final @Nullable Loop loop;

    private DataLoaderBatcher(DataLoader<Long, Long> loader, Runnable atTheEnd, @Nullable Loop loop) {
        this.loader = loader;
        this.atTheEnd = atTheEnd;
        this.loop = loop;
    }

    private static DataLoader<Long, Long> loader(SimulatedApi api) {
        return DataLoaderFactory.newDataLoader(
                api::askLater,
                DataLoaderOptions.newOptions()
                        .setBatchingEnabled(true)
                        .setCachingEnabled(false)
                        .setMaxBatchSize(CollapseContestants.MAX_IN_A_BATCH)
                        .setStatisticsCollector(NoOpStatisticsCollector::new)
                        .build());
    }

    /** Callers have a future per request; the future of all adds nothing. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void send(DataLoader<Long, Long> loader) {
        loader.dispatch();
    }

    /** Dispatches periodically. */
    static DataLoaderBatcher every(SimulatedApi api, Duration time) {
        DataLoader<Long, Long> loader = loader(api);
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("dispatcher").factory());
        ScheduledFuture<?> ticks =
                clock.scheduleAtFixedRate(() -> send(loader), time.toNanos(), time.toNanos(), TimeUnit.NANOSECONDS);
        return new DataLoaderBatcher(
                loader,
                () -> {
                    ticks.cancel(false);
                    clock.shutdown();
                },
                null);
    }

    /** Dispatches continuously; sleeps while no request waits. */
    static DataLoaderBatcher inALoop(SimulatedApi api) {
        Loop loop = new Loop(loader(api));
        return new DataLoaderBatcher(loop.loader, loop::end, loop);
    }

    @Override
    public Long call(Long item) throws Exception {
        var answer = loader.load(item);
        if (loop != null) {
            loop.wake();
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Override
    public void close() {
        atTheEnd.run();
    }

    /** The dispatching thread. */
    private static final class Loop implements Runnable {
        final DataLoader<Long, Long> loader;
        private final Thread thread;
        private volatile boolean sleeping;
        private volatile boolean over;

        Loop(DataLoader<Long, Long> loader) {
            this.loader = loader;
            this.thread = Thread.ofPlatform().daemon().name("dispatcher").start(this);
        }

        /** Called after a request was added; unnecessary while the thread is awake. */
        void wake() {
            if (sleeping) {
                LockSupport.unpark(thread);
            }
        }

        void end() {
            over = true;
            LockSupport.unpark(thread);
        }

        @Override
        public void run() {
            while (!over) {
                if (loader.dispatchDepth() == 0) {
                    sleepWhileNothingWaits();
                }
                send(loader);
            }
        }

        /** Announces that it sleeps before it checks once more, so that a request added later wakes it. */
        private void sleepWhileNothingWaits() {
            sleeping = true;
            while (!over && loader.dispatchDepth() == 0) {
                LockSupport.park(this);
            }
            sleeping = false;
        }
    }
}
