package dev.penstock.races.collapse;

import dev.penstock.collapse.Collapse;
import dev.penstock.flow.Flow;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Who runs, by name. A library is loaded only when its contestant is made. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
enum CollapseContestants {
    /** Nobody waits for anybody: what latency and throughput can be at best, and what calls are at worst. */
    NONE("none", Role.LIMIT, "a call for each request", api -> BatchingClient.of(api::ask)),

    /** As it was in the origin. */
    HYSTRIX_100(
            "hystrix-100ms",
            Role.BEFORE,
            "HystrixCollapser, a timer of 100 ms, one for all, no request cache, pool of 128, no timeout, no breaker",
            api -> hystrix(api, Duration.ofMillis(100))),

    /** What the origin came to. */
    HYSTRIX_10(
            "hystrix-10ms", Role.AFTER, "the same with a timer of 10 ms", api -> hystrix(api, Duration.ofMillis(10))),

    /** The shortest timer that Hystrix takes: for what its machinery can do. */
    HYSTRIX_1("hystrix-1ms", Role.PEER, "the same with a timer of 1 ms", api -> hystrix(api, Duration.ofMillis(1))),

    /** A naive window: opened by the first request, closed after 10 ms. */
    WINDOW_10(
            "window-10ms",
            Role.PEER,
            "a window of 10 ms from the first request of a batch on",
            FixedWindow::ofTenMillis),

    /** See {@link DataLoaderBatcher}. */
    DATALOADER_10(
            "dataloader-10ms",
            Role.PEER,
            "java-dataloader, no cache, no statistics, dispatched every 10 ms",
            api -> DataLoaderBatcher.every(api, Duration.ofMillis(10))),

    /** The same without a timer: for what its machinery can do. */
    DATALOADER_LOOP(
            "dataloader-loop",
            Role.PEER,
            "java-dataloader, no cache, no statistics, dispatched in a loop as long as anything waits",
            DataLoaderBatcher::inALoop),

    /** As it is while nobody sets anything but the size, which all have alike. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a collapse at its defaults (a budget of 10 %)",
            api -> ours(batched(api))),

    /** For those whom waiting costs more than calls. */
    PENSTOCK_2(
            "penstock-2%",
            Role.OURS, "the same with a budget of 2 %", api -> ours(batched(api).budget(0.02))),

    /** For those whom calls cost more than waiting. */
    PENSTOCK_20(
            "penstock-20%",
            Role.OURS,
            "the same with a budget of 20 %",
            api -> ours(batched(api).budget(0.2)));

    /** How many requests a batch has at most: as many as there are callers in any course, so that size bounds nobody. */
    static final int MOST_IN_A_BATCH = 1_000;

    /** A thread for each batch that can be out: 50 at a timer of 10 ms and calls of 500 ms. */
    private static final int HYSTRIX_POOL = 128;

    private static final List<CollapseContestants> MACHINERY =
            List.of(NONE, HYSTRIX_100, HYSTRIX_10, HYSTRIX_1, DATALOADER_10, DATALOADER_LOOP, PENSTOCK);

    private static final List<CollapseContestants> COSTS = List.of(NONE, WINDOW_10, HYSTRIX_10, DATALOADER_10, PENSTOCK);

    /** Puts a contestant before an API. */
    @FunctionalInterface
    private interface Maker {
        BatchingClient make(SimulatedApi api);
    }

    private final Entry entry;
    private final Maker maker;

    CollapseContestants(String name, Role role, String how, Maker maker) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.maker = maker;
    }

    private static BatchingClient hystrix(SimulatedApi api, Duration timer) {
        HystrixBatcher<Long, Long> batcher = new HystrixBatcher<>(api::ask, timer, MOST_IN_A_BATCH, HYSTRIX_POOL);
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
        return Collapse.<Long, Long>into(api::ask).max(MOST_IN_A_BATCH);
    }

    private static BatchingClient ours(Collapse<Long, Long> collapse) {
        return BatchingClient.of(Flow.named("collapse").to(collapse));
    }

    /**
     * The one of that name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static CollapseContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("collapse has no contestant " + name));
    }

    /** Those who run where items cost time. */
    static List<Entry> costs() {
        return COSTS.stream().map(CollapseContestants::entry).toList();
    }

    /** All of them. */
    static List<Entry> entries() {
        return Arrays.stream(values()).map(CollapseContestants::entry).toList();
    }

    /** Those who run where calls take time. */
    static List<Entry> waiting() {
        return Arrays.stream(values())
                .filter(contestant ->
                        contestant != HYSTRIX_1 && contestant != DATALOADER_LOOP && contestant != WINDOW_10)
                .map(CollapseContestants::entry)
                .toList();
    }

    /** Those who run where calls take none: each of ours would be the same, and of the peers the fastest are there too. */
    static List<Entry> machinery() {
        return MACHINERY.stream().map(CollapseContestants::entry).toList();
    }

    Entry entry() {
        return entry;
    }

    BatchingClient before(SimulatedApi api) {
        return maker.make(api);
    }
}
