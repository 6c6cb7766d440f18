package dev.penstock.races.overhead;

import dev.penstock.Service;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The contestants, each with its stages from outermost to innermost; they are described in {@link PenstockStages},
 * {@link Resilience4jStages}, {@link FailsafeStages} and {@link HystrixStages}. JMH forks a fresh JVM for every block.
 * The JVM it forks from is not the runner's either, because JMH copies the output of the forked JVM to its own
 * standard output.
 */
final class OverheadContestants {
    /** The call alone: the lower bound. */
    static final String DIRECT = "direct";

    static final String PENSTOCK_ADAPTIVE = "penstock-adaptive";
    static final String HYSTRIX_SEMAPHORE = "hystrix-semaphore";

    /** Each wraps its stages around a service: blocking and thread-safe. */
    static final ContestantList<UnaryOperator<Service<Object, Object>>> ALL =
            ContestantList.<UnaryOperator<Service<Object, Object>>>of("overhead")
                    .add(DIRECT, Role.LIMIT, stages("none"), service -> service)
                    .add(
                            "penstock",
                            Role.OURS,
                            stages("meter > deadline > retry > breaker > limit > meter"),
                            PenstockStages::around)
                    .add(
                            PENSTOCK_ADAPTIVE,
                            Role.OURS,
                            stages("meter > deadline > retry > breaker > adaptive limit > meter"),
                            PenstockStages::aroundAdaptive)
                    .add(
                            "resilience4j",
                            Role.PEER,
                            stages("retry > breaker over 100 calls > bulkhead"),
                            Resilience4jStages::around)
                    .add(
                            "resilience4j-time-window",
                            Role.PEER,
                            stages("retry > breaker over 10 s > bulkhead"),
                            Resilience4jStages::aroundOverTime)
                    .add(
                            "resilience4j-metered",
                            Role.PEER,
                            stages("retry > breaker > bulkhead, bound to Micrometer"),
                            Resilience4jStages::aroundMetered)
                    .add("failsafe", Role.PEER, stages("retry > breaker > bulkhead"), FailsafeStages::around)
                    .add(
                            "failsafe-timeout",
                            Role.PEER,
                            stages("timeout > retry > breaker > bulkhead"),
                            FailsafeStages::aroundWithTimeout)
                    .add(
                            HYSTRIX_SEMAPHORE,
                            Role.PEER,
                            stages("meter > breaker > semaphore > timeout, no retry"),
                            HystrixStages::around);

    private OverheadContestants() {}

    private static Map<String, String> stages(String stages) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("stages", stages);
        settings.put("jvm", JmhRun.JVM_IN_WORDS);
        return settings;
    }
}
