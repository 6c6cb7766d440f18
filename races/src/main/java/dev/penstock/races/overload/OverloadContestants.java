package dev.penstock.races.overload;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import dev.penstock.Service;
import dev.penstock.flow.TargetLimit;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import dev.penstock.races.overload.VirtualThreads.Gate;
import java.util.OptionalInt;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/** The contestants of the race, each created in front of a stage. */
final class OverloadContestants {
    static final String VIRTUAL_UNLIMITED = "virtual-unlimited";
    static final String POOL_100_QUEUE_100 = "pool-100-queue-100";
    static final String BULKHEAD_TUNED = "bulkhead-tuned";
    static final String GRADIENT2 = "gradient2";
    static final String VEGAS = "vegas";
    static final String PENSTOCK = "penstock";

    static final ContestantList<Factory> ALL = ContestantList.<Factory>of("overload")
            .add(
                    VIRTUAL_UNLIMITED,
                    Role.BEFORE,
                    "one virtual thread per request, no limit",
                    each(stage -> new VirtualThreads(Gate.to(stage), OptionalInt::empty)))
            // The usual thread pool, and the original service's setting after tuning.
            .add(
                    "pool-50",
                    Role.BEFORE,
                    "50 platform threads, unbounded queue",
                    each(stage -> new PlatformThreads(stage, 50, new LinkedBlockingQueue<>())))
            .add(
                    POOL_100_QUEUE_100,
                    Role.AFTER,
                    "100 platform threads, queue of 100",
                    each(stage -> new PlatformThreads(stage, 100, new ArrayBlockingQueue<>(100))))
            // See Sweep.
            .add(
                    BULKHEAD_TUNED,
                    Role.LIMIT,
                    "resilience4j bulkhead, the best of 15 settings on this load",
                    (stage, tuning) -> () -> BulkheadGate.around(stage, tuning))
            .add(
                    "bulkhead-default",
                    Role.PEER,
                    "resilience4j bulkhead, 25 concurrent calls, no wait",
                    each(stage -> BulkheadGate.around(stage, Tuning.DEFAULT)))
            .add(
                    GRADIENT2,
                    Role.PEER,
                    "concurrency-limits, Gradient2 at its defaults",
                    each(stage -> NetflixLimiter.around(stage, Gradient2Limit.newDefault())))
            .add(
                    VEGAS,
                    Role.PEER,
                    "concurrency-limits, Vegas at its defaults",
                    each(stage -> NetflixLimiter.around(stage, VegasLimit.newDefault())))
            .add(
                    "hystrix",
                    Role.PEER,
                    "command on a pool of 100, queue of 100, timeout 1 s, breaker off",
                    each(HystrixPool::new))
            .add("sentinel", Role.PEER, "flow rule, 100 concurrent calls", each(SentinelGate::around))
            .add(
                    PENSTOCK,
                    Role.OURS,
                    "flow with a deadline of 1 s, breaker and limit at their defaults",
                    (stage, _) -> {
                        // Flows to the same stage share a limit.
                        TargetLimit limit = TargetLimit.adaptive(1, TargetLimit.MOST, OverloadCourse.USEFUL_WITHIN);
                        return () -> PenstockFlow.around(stage, limit);
                    });

    private OverloadContestants() {}

    private static Factory each(OneFlow create) {
        return (stage, _) -> () -> create.before(stage);
    }

    private interface OneFlow {
        LimitedStage before(Service<Long, Long> stage);
    }

    /** Creates contestants in front of one stage. */
    interface Factory {
        /**
         * Creates a contestant for each flow.
         *
         * @param stage the stage to protect
         * @param tuning for {@link #BULKHEAD_TUNED}; ignored by others
         */
        Supplier<LimitedStage> flows(Service<Long, Long> stage, Tuning tuning);

        /** Creates the contestants of several flows to the stage. */
        default LimitedStage before(Service<Long, Long> stage, Tuning tuning, int flows) {
            return ParallelFlows.of(flows, flows(stage, tuning));
        }
    }
}
