package dev.penstock.races.overload;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import dev.penstock.Service;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.limit.TargetLimit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Who runs, by name. A library is loaded only when its contestant is made. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
enum OverloadContestants {
    /** Nobody is rejected, and everyone is let in. */
    VIRTUAL_UNLIMITED(
            "virtual-unlimited",
            Role.BEFORE,
            "a virtual thread for each request, no bound",
            (stage, _) -> new VirtualThreads(Gate.to(stage), OptionalInt::empty)),

    /** As servers began: a thread for each request, until the machine has no more. */
    PLATFORM_UNLIMITED(
            "platform-unlimited",
            Role.BEFORE,
            "a new platform thread for each request, at most 10,000",
            (stage, _) -> PlatformThreads.newForEach(stage)),

    /** As most thread pools are made. */
    POOL_50(
            "pool-50",
            Role.BEFORE,
            "50 platform threads, a queue without a bound",
            (stage, _) -> PlatformThreads.fixed(stage, 50)),

    /** What the origin came to. */
    POOL_100_QUEUE_100(
            "pool-100-queue-100",
            Role.AFTER,
            "100 platform threads, a queue of 100",
            (stage, _) -> PlatformThreads.fixed(stage, 100, 100)),

    /** The best that a person could set, see {@link Sweep}. */
    BULKHEAD_TUNED(
            "bulkhead-tuned",
            Role.LIMIT,
            "resilience4j bulkhead, the best of 15 settings tried on this load before",
            BulkheadGate::around),

    /** The same as nobody has set it. */
    BULKHEAD_DEFAULT(
            "bulkhead-default",
            Role.PEER,
            "resilience4j bulkhead, 25 at once, no wait",
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
    SENTINEL("sentinel", Role.PEER, "flow rule, 100 at once", (stage, _) -> SentinelGate.around(stage)),

    /** See {@link PenstockFlow}. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "flow with a deadline of 1 s, breaker and limit at their defaults",
            (stage, _) -> PenstockFlow.around(stage, limit())) {
        // Flows to one stage share a limit.
        @Override
        LimitedStage before(Service<Long, Long> stage, Tuning tuning, int flows) {
            TargetLimit limit = limit();
            return ParallelFlows.of(flows, () -> PenstockFlow.around(stage, limit));
        }
    };

    /** Puts a contestant before a stage. */
    @FunctionalInterface
    private interface Maker {
        LimitedStage make(Service<Long, Long> stage, Tuning tuning);
    }

    private final Entry entry;
    private final Maker maker;

    OverloadContestants(String name, Role role, String how, Maker maker) {
        this.entry = Entry.of(name, role, Map.of("how", how));
        this.maker = maker;
    }

    /**
     * The one of that name.
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
     * Makes it.
     *
     * @param stage what it guards
     * @param tuning for {@link #BULKHEAD_TUNED}; the others do not look at it
     * @param flows how many go to that stage, each with one of it
     */
    LimitedStage before(Service<Long, Long> stage, Tuning tuning, int flows) {
        return ParallelFlows.of(flows, () -> maker.make(stage, tuning));
    }

    private static TargetLimit limit() {
        return TargetLimit.adaptive(1, TargetLimit.MOST, OverloadCourse.USEFUL_WITHIN, null);
    }
}
