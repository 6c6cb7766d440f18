package dev.penstock.races.collapse;

import dev.penstock.races.collapse.CollapseContestants.BatchingClient;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.dataloader.DataLoader;
import org.dataloader.DataLoaderFactory;
import org.dataloader.DataLoaderOptions;
import org.dataloader.stats.NoOpStatisticsCollector;

/**
 * java-dataloader with one loader for all callers. It forms batches and leaves the dispatching to its user: here a
 * separate thread dispatches, periodically or as soon as a request waits. Batches are answered by futures, as its API
 * requires. Its cache is off: requests here are all different, and it would keep everything it loaded.
 */
final class DataLoaderBatcher implements BatchingClient {
    private final DataLoader<Long, Long> loader;
    private final long everyNanos;
    private final Thread dispatcher;
    private volatile boolean waiting;
    private volatile boolean over;

    private DataLoaderBatcher(SimulatedApi api, Duration every) {
        loader = DataLoaderFactory.newDataLoader(
                api::askLater,
                DataLoaderOptions.newOptions()
                        .setBatchingEnabled(true)
                        .setCachingEnabled(false)
                        .setMaxBatchSize(CollapseContestants.MAX_IN_A_BATCH)
                        .setStatisticsCollector(NoOpStatisticsCollector::new)
                        .build());
        everyNanos = every.toNanos();
        dispatcher = Thread.ofPlatform().daemon().name("dispatcher").unstarted(this::dispatch);
        dispatcher.start();
    }

    /** Dispatches periodically. */
    static DataLoaderBatcher every(SimulatedApi api, Duration time) {
        return new DataLoaderBatcher(api, time);
    }

    /** Dispatches continuously; sleeps while no request waits. */
    static DataLoaderBatcher inALoop(SimulatedApi api) {
        return new DataLoaderBatcher(api, Duration.ZERO);
    }

    /** Callers have a future per request; the future of all adds nothing. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void dispatch() {
        long next = System.nanoTime();
        while (!over) {
            if (everyNanos > 0) {
                next += everyNanos;
                sleepUntil(next);
            } else if (loader.dispatchDepth() == 0) {
                sleepWhileNothingWaits();
            }
            loader.dispatch();
        }
    }

    private void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); !over && left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Announces that it sleeps before it checks once more, so that a request added later wakes it. */
    private void sleepWhileNothingWaits() {
        waiting = true;
        while (!over && loader.dispatchDepth() == 0) {
            LockSupport.park(this);
        }
        waiting = false;
    }

    @Override
    public Long call(Long item) throws Exception {
        var answer = loader.load(item);
        if (waiting) {
            LockSupport.unpark(dispatcher);
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @Override
    public void close() {
        over = true;
        LockSupport.unpark(dispatcher);
    }
}
