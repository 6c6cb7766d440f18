package dev.penstock.races.collapse;

import dev.penstock.Collapse;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import java.time.Duration;
import java.util.function.Function;

/** The contestants of the race, each created in front of an API. */
final class CollapseContestants {
    /** The maximum batch size: the number of callers in any course, so that it limits nobody. */
    static final int MAX_IN_A_BATCH = 1_000;

    /** No batching: the limit of latency and throughput, and the maximum number of calls. */
    static final String NONE = "none";

    /** Our defaults, except for the size limit, which is the same for all. */
    static final String PENSTOCK = "penstock";

    /** One thread per concurrent batch: 50 with a timer of 10 ms and calls of 500 ms. */
    private static final int HYSTRIX_POOL = 128;

    static final ContestantList<Function<SimulatedApi, BatchingClient>> ALL =
            ContestantList.<Function<SimulatedApi, BatchingClient>>of("collapse")
                    .add(NONE, Role.LIMIT, "one call per request", api -> BatchingClient.of(api::ask, () -> {}))
                    // The original service's setting, and the same after tuning.
                    .add(
                            "hystrix-100ms",
                            Role.BEFORE,
                            "HystrixCollapser, timer 100 ms, global scope, no request cache, pool of 128, no timeout, no breaker",
                            api -> hystrix(api, 100))
                    .add("hystrix-10ms", Role.AFTER, "the same with timer 10 ms", api -> hystrix(api, 10))
                    // The shortest timer of Hystrix: shows the throughput of its machinery.
                    .add("hystrix-1ms", Role.PEER, "the same with timer 1 ms", api -> hystrix(api, 1))
                    .add(
                            "window-10ms",
                            Role.PEER,
                            "fixed window of 10 ms from the first request of a batch",
                            FixedWindow::new)
                    .add(
                            "dataloader-10ms",
                            Role.PEER,
                            "java-dataloader, no cache, no statistics, dispatched every 10 ms",
                            api -> DataLoaderBatcher.every(api, Duration.ofMillis(10)))
                    // Without a timer: shows the throughput of its machinery.
                    .add(
                            "dataloader-loop",
                            Role.PEER,
                            "java-dataloader, no cache, no statistics, dispatched in a loop while requests wait",
                            DataLoaderBatcher::inALoop)
                    .add(
                            PENSTOCK,
                            Role.OURS,
                            "flow with collapse at its defaults (waiting budget 10 %)",
                            api -> ours(batched(api)))
                    // For users whose waiting costs more than calls, and for those whose calls cost more.
                    .add(
                            "penstock-2%",
                            Role.OURS,
                            "the same with waiting budget 2 %",
                            api -> ours(batched(api).budget(0.02)))
                    .add(
                            "penstock-20%",
                            Role.OURS,
                            "the same with waiting budget 20 %",
                            api -> ours(batched(api).budget(0.2)));

    private CollapseContestants() {}

    private static BatchingClient hystrix(SimulatedApi api, int timerMillis) {
        HystrixBatcher<Long, Long> batcher =
                new HystrixBatcher<>(api::ask, Duration.ofMillis(timerMillis), MAX_IN_A_BATCH, HYSTRIX_POOL);
        return BatchingClient.of(batcher, batcher::close);
    }

    private static Collapse<Long, Long> batched(SimulatedApi api) {
        return Collapse.<Long, Long>into(api::ask).max(MAX_IN_A_BATCH);
    }

    private static BatchingClient ours(Collapse<Long, Long> collapse) {
        return BatchingClient.of(Flow.named("collapse").to(collapse), () -> {});
    }

    /** A contestant in front of the API: blocks its caller, a virtual thread, until the answer is there. Thread-safe. */
    interface BatchingClient extends Service<Long, Long>, AutoCloseable {
        static BatchingClient of(Service<Long, Long> service, Runnable close) {
            return new BatchingClient() {
                @Override
                public Long call(Long item) throws Exception {
                    return service.call(item);
                }

                @Override
                public void close() {
                    close.run();
                }
            };
        }

        /** Ends its threads without waiting. */
        @Override
        void close();
    }
}
