package dev.penstock.races.overload;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import dev.penstock.Service;
import dev.penstock.flow.TargetLimit;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import dev.penstock.races.overload.VirtualThreads.Gate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum OverloadContestants {
    /** No limit: everything is admitted. */
    VIRTUAL_UNLIMITED(
            "virtual-unlimited",
            Role.BEFORE,
            "one virtual thread per request, no limit",
            (stage, _) -> new VirtualThreads(Gate.to(stage), OptionalInt::empty)),

    /** The classic server model: one thread per request, up to the machine's maximum. */
    PLATFORM_UNLIMITED(
            "platform-unlimited",
            Role.BEFORE,
            "one new platform thread per request, at most 10,000",
            (stage, _) -> PlatformThreads.newForEach(stage)),

    /** The usual thread pool. */
    POOL_50(
            "pool-50",
            Role.BEFORE,
            "50 platform threads, unbounded queue",
            (stage, _) -> PlatformThreads.fixed(stage, 50)),

    /** The original service's setting after tuning. */
    POOL_100_QUEUE_100(
            "pool-100-queue-100",
            Role.AFTER,
            "100 platform threads, queue of 100",
            (stage, _) -> PlatformThreads.fixed(stage, 100, 100)),

    /** The best manual setting, see {@link Sweep}. */
    BULKHEAD_TUNED(
            "bulkhead-tuned",
            Role.LIMIT,
            "resilience4j bulkhead, the best of 15 settings on this load",
            BulkheadGate::around),

    /** The same with its defaults. */
    BULKHEAD_DEFAULT(
            "bulkhead-default",
            Role.PEER,
            "resilience4j bulkhead, 25 concurrent calls, no wait",
            (stage, _) -> BulkheadGate.around(stage, Tuning.DEFAULT)),

    /** See {@link NetflixLimiter}. */
    GRADIENT2(
            "gradient2",
            Role.PEER,
            "concurrency-limits, Gradient2 at its defaults",
            (stage, _) -> NetflixLimiter.around(stage, Gradient2Limit.newDefault())),

    /** See {@link NetflixLimiter}. */
    VEGAS(
            "vegas",
            Role.PEER,
            "concurrency-limits, Vegas at its defaults",
            (stage, _) -> NetflixLimiter.around(stage, VegasLimit.newDefault())),

    /** See {@link HystrixPool}. */
    HYSTRIX(
            "hystrix",
            Role.PEER,
            "command on a pool of 100, queue of 100, timeout 1 s, breaker off",
            (stage, _) -> new HystrixPool(stage)),

    /** See {@link SentinelGate}. */
    SENTINEL("sentinel", Role.PEER, "flow rule, 100 concurrent calls", (stage, _) -> SentinelGate.around(stage)),

    /** See {@link PenstockFlow}. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a deadline of 1 s, breaker and limit at their defaults",
            (stage, _) -> PenstockFlow.around(stage, limit())) {
        // Flows to the same stage share a limit.
        @Override
        LimitedStage before(Service<Long, Long> stage, Tuning tuning, int flows) {
            TargetLimit limit = limit();
            return ParallelFlows.of(flows, () -> PenstockFlow.around(stage, limit));
        }
    };

    /** Creates a contestant in front of a stage. */
    @FunctionalInterface
    private interface Factory {
        LimitedStage create(Service<Long, Long> stage, Tuning tuning);
    }

    private final Entry entry;
    private final Factory factory;

    OverloadContestants(String name, Role role, String how, Factory factory) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.factory = factory;
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static OverloadContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("overload has no contestant " + name));
    }

    static List<Entry> entries() {
        return entries(values());
    }

    static List<Entry> entries(OverloadContestants... these) {
        return Arrays.stream(these).map(OverloadContestants::entry).toList();
    }

    Entry entry() {
        return entry;
    }

    /**
     * Creates the contestant.
     *
     * @param stage the stage to protect
     * @param tuning for {@link #BULKHEAD_TUNED}; ignored by others
     * @param flows the number of flows to the stage, each with its own contestant
     */
    LimitedStage before(Service<Long, Long> stage, Tuning tuning, int flows) {
        return ParallelFlows.of(flows, () -> factory.create(stage, tuning));
    }

    private static TargetLimit limit() {
        return TargetLimit.adaptive(1, TargetLimit.MOST, OverloadCourse.USEFUL_WITHIN);
    }
}
