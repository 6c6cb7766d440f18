package dev.penstock.races.overhead;

import dev.penstock.Service;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contestants, each with its stages from outermost to innermost. A library is loaded only when its contestant is
 * created.
 */
enum OverheadContestant {
    /** The call alone: the lower bound. */
    DIRECT("direct", Role.LIMIT, "none"),

    /** See {@link PenstockStages}. */
    PENSTOCK("penstock", Role.OURS, "meter > deadline > retry > breaker > limit > meter"),

    /** See {@link PenstockStages}. */
    PENSTOCK_ADAPTIVE("penstock-adaptive", Role.OURS, "meter > deadline > retry > breaker > adaptive limit > meter"),

    /** See {@link Resilience4jStages}. */
    RESILIENCE4J("resilience4j", Role.PEER, "retry > breaker over 100 calls > bulkhead"),

    /** See {@link Resilience4jStages}. */
    RESILIENCE4J_TIMED("resilience4j-time-window", Role.PEER, "retry > breaker over 10 s > bulkhead"),

    /** See {@link Resilience4jStages}. */
    RESILIENCE4J_METERED("resilience4j-metered", Role.PEER, "retry > breaker > bulkhead, bound to Micrometer"),

    /** See {@link FailsafeStages}. */
    FAILSAFE("failsafe", Role.PEER, "retry > breaker > bulkhead"),

    /** See {@link FailsafeStages}. */
    FAILSAFE_TIMEOUT("failsafe-timeout", Role.PEER, "timeout > retry > breaker > bulkhead"),

    /** See {@link HystrixStages}. */
    HYSTRIX_SEMAPHORE("hystrix-semaphore", Role.PEER, "meter > breaker > semaphore > timeout, no retry");

    private final String title;
    private final Role role;
    private final String stages;

    OverheadContestant(String title, Role role, String stages) {
        this.title = title;
        this.role = role;
        this.stages = stages;
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static OverheadContestant named(String title) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no contestant is called '" + title + "': use one of " + String.join(", ", titles())));
    }

    private static List<String> titles() {
        return Arrays.stream(values()).map(contestant -> contestant.title).toList();
    }

    /** The service with this contestant's stages around it: blocking and thread-safe. */
    Service<Object, Object> around(Service<Object, Object> service) {
        return switch (this) {
            case DIRECT -> service;
            case PENSTOCK -> PenstockStages.around(service);
            case PENSTOCK_ADAPTIVE -> PenstockStages.aroundAdaptive(service);
            case RESILIENCE4J -> Resilience4jStages.around(service);
            case RESILIENCE4J_TIMED -> Resilience4jStages.aroundOverTime(service);
            case RESILIENCE4J_METERED -> Resilience4jStages.aroundMetered(service);
            case FAILSAFE -> FailsafeStages.around(service);
            case FAILSAFE_TIMEOUT -> FailsafeStages.aroundWithTimeout(service);
            case HYSTRIX_SEMAPHORE -> HystrixStages.around(service);
        };
    }

    /**
     * The entry of the course. JMH forks a fresh JVM for every block. The JVM it forks from is not the runner's either,
     * because JMH copies the output of the forked JVM to its own standard output.
     */
    Entry entry() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("stages", stages);
        settings.put("jvm", JmhRun.JVM_IN_WORDS);
        return Entry.of(title, role, settings);
    }
}
