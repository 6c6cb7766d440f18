package dev.penstock.gateway.config;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * A rule about values that are valid alone: it reports those that do not fit together.
 *
 * <pre>{@code
 * Rule.flowError("the wait for the limit ends before the deadline", "queue.time deadline", MyRules::waitWithinDeadline)
 * }</pre>
 *
 * @param name what must hold, for people
 * @param keys the keys it is about; those of a flow without {@code flows.NAME}
 * @param isWarning whether a file that breaks it is valid nevertheless
 * @param about what is checked: {@link FlowConfig}, or {@link GatewayConfig} for a rule about several flows
 * @param check reports what breaks the rule
 */
public record Rule<T>(
        String name, List<String> keys, boolean isWarning, Class<T> about, BiConsumer<T, ConfigProblems> check) {
    /** A rule within each flow. It is only checked if the values of its keys are valid. */
    public static Rule<FlowConfig> flowError(String name, String keys, BiConsumer<FlowConfig, ConfigProblems> check) {
        return new Rule<>(name, List.of(keys.split(" ")), false, FlowConfig.class, check);
    }

    /** A rule within each flow, for values that are probably unintended. */
    public static Rule<FlowConfig> flowWarning(String name, String keys, BiConsumer<FlowConfig, ConfigProblems> check) {
        return new Rule<>(name, List.of(keys.split(" ")), true, FlowConfig.class, check);
    }

    /** A rule between flows, or between flows and what they share. */
    public static Rule<GatewayConfig> fileError(
            String name, String keys, BiConsumer<GatewayConfig, ConfigProblems> check) {
        return new Rule<>(name, List.of(keys.split(" ")), false, GatewayConfig.class, check);
    }

    /** As {@link #fileError}, for values that are probably unintended. */
    public static Rule<GatewayConfig> fileWarning(
            String name, String keys, BiConsumer<GatewayConfig, ConfigProblems> check) {
        return new Rule<>(name, List.of(keys.split(" ")), true, GatewayConfig.class, check);
    }

    /** Checks a flow or a whole file, whichever the rule is about. */
    public void check(Object flowOrFile, ConfigProblems problems) {
        if (about.isInstance(flowOrFile)) {
            check.accept(about.cast(flowOrFile), problems);
        }
    }
}
