package dev.penstock.races.collapse;

import dev.penstock.Collapse;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum CollapseContestants {
    /** No batching: the limit of latency and throughput, and the maximum number of calls. */
    NONE("none", Role.LIMIT, "one call per request", api -> BatchingClient.of(api::ask)),

    /** The original service's setting. */
    HYSTRIX_100(
            "hystrix-100ms",
            Role.BEFORE,
            "HystrixCollapser, timer 100 ms, global scope, no request cache, pool of 128, no timeout, no breaker",
            api -> hystrix(api, Duration.ofMillis(100))),

    /** The original service's setting after tuning. */
    HYSTRIX_10("hystrix-10ms", Role.AFTER, "the same with timer 10 ms", api -> hystrix(api, Duration.ofMillis(10))),

    /** The shortest timer of Hystrix: shows the throughput of its machinery. */
    HYSTRIX_1("hystrix-1ms", Role.PEER, "the same with timer 1 ms", api -> hystrix(api, Duration.ofMillis(1))),

    /** A fixed window: opened by the first request, closed after 10 ms. */
    WINDOW_10(
            "window-10ms",
            Role.PEER,
            "fixed window of 10 ms from the first request of a batch",
            FixedWindow::ofTenMillis),

    /** See {@link DataLoaderBatcher}. */
    DATALOADER_10(
            "dataloader-10ms",
            Role.PEER,
            "java-dataloader, no cache, no statistics, dispatched every 10 ms",
            api -> DataLoaderBatcher.every(api, Duration.ofMillis(10))),

    /** The same without a timer: shows the throughput of its machinery. */
    DATALOADER_LOOP(
            "dataloader-loop",
            Role.PEER,
            "java-dataloader, no cache, no statistics, dispatched in a loop while requests wait",
            DataLoaderBatcher::inALoop),

    /** The defaults, except for the size limit, which is the same for all. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with collapse at its defaults (waiting budget 10 %)",
            api -> ours(batched(api))),

    /** For users whose waiting costs more than calls. */
    PENSTOCK_2(
            "penstock-2%",
            Role.OURS,
            "the same with waiting budget 2 %",
            api -> ours(batched(api).budget(0.02))),

    /** For users whose calls cost more than waiting. */
    PENSTOCK_20(
            "penstock-20%",
            Role.OURS,
            "the same with waiting budget 20 %",
            api -> ours(batched(api).budget(0.2)));

    /** The maximum batch size: the number of callers in any course, so that it limits nobody. */
    static final int MAX_IN_A_BATCH = 1_000;

    /** One thread per concurrent batch: 50 with a timer of 10 ms and calls of 500 ms. */
    private static final int HYSTRIX_POOL = 128;

    private static final List<CollapseContestants> MACHINERY =
            List.of(NONE, HYSTRIX_100, HYSTRIX_10, HYSTRIX_1, DATALOADER_10, DATALOADER_LOOP, PENSTOCK);

    private static final List<CollapseContestants> COSTS =
            List.of(NONE, WINDOW_10, HYSTRIX_10, DATALOADER_10, PENSTOCK);

    /** Creates a contestant in front of an API. */
    @FunctionalInterface
    private interface Factory {
        BatchingClient create(SimulatedApi api);
    }

    private final Entry entry;
    private final Factory factory;

    CollapseContestants(String name, Role role, String how, Factory factory) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.factory = factory;
    }

    private static BatchingClient hystrix(SimulatedApi api, Duration timer) {
        HystrixBatcher<Long, Long> batcher = new HystrixBatcher<>(api::ask, timer, MAX_IN_A_BATCH, HYSTRIX_POOL);
        return new BatchingClient() {
            @Override
            public Long call(Long item) throws Exception {
                return batcher.call(item);
            }

            @Override
            public void close() {
                batcher.close();
            }
        };
    }

    private static Collapse<Long, Long> batched(SimulatedApi api) {
        return Collapse.<Long, Long>into(api::ask).max(MAX_IN_A_BATCH);
    }

    private static BatchingClient ours(Collapse<Long, Long> collapse) {
        return BatchingClient.of(Flow.named("collapse").to(collapse));
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static CollapseContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("collapse has no contestant " + name));
    }

    /** The contestants of courses in which items cost time. */
    static List<Entry> costs() {
        return COSTS.stream().map(CollapseContestants::entry).toList();
    }

    /** All contestants. */
    static List<Entry> entries() {
        return Arrays.stream(values()).map(CollapseContestants::entry).toList();
    }

    /** The contestants of courses in which calls take time. */
    static List<Entry> waiting() {
        return Arrays.stream(values())
                .filter(contestant ->
                        contestant != HYSTRIX_1 && contestant != DATALOADER_LOOP && contestant != WINDOW_10)
                .map(CollapseContestants::entry)
                .toList();
    }

    /**
     * The contestants of courses in which calls take no time: ours would all be the same, and the fastest peers are
     * added.
     */
    static List<Entry> machinery() {
        return MACHINERY.stream().map(CollapseContestants::entry).toList();
    }

    Entry entry() {
        return entry;
    }

    BatchingClient before(SimulatedApi api) {
        return factory.create(api);
    }

    /** A contestant in front of the API: blocks its caller, a virtual thread, until the answer is there. Thread-safe. */
    interface BatchingClient extends Service<Long, Long>, AutoCloseable {
        /** A client with nothing to close. */
        static BatchingClient of(Service<Long, Long> service) {
            return new BatchingClient() {
                @Override
                public Long call(Long item) throws Exception {
                    return service.call(item);
                }

                @Override
                public void close() {}
            };
        }

        /** Ends its threads without waiting. */
        @Override
        void close();
    }
}
