package dev.penstock.gateway;

import dev.penstock.StateFile;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.flow.TargetLimit;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Limits shared between flows of one file: flows to the same target with adaptive limits of equal bounds. */
final class SharedLimits {
    private record Bounds(int min, int max) {}

    private record Shared(String target, Bounds bounds) {}

    private final List<FlowConfig> flows;
    private final StateFile learned;
    private final Map<Shared, TargetLimit> limits = new HashMap<>();

    /**
     * Starts without limits.
     *
     * @param flows all flows of the file
     * @param learned stores the learned limits
     */
    SharedLimits(List<FlowConfig> flows, StateFile learned) {
        this.flows = flows;
        this.learned = learned;
    }

    /**
     * Gives a flow the limit it shares with others. Other flows to the same target that cannot share it get a note with
     * the reason. A flow to several servers has a limit for each.
     */
    void apply(FlowConfig flow, FlowBuilder<Object> stages) {
        if (flow.to().endpoints() > 1) {
            return;
        }
        List<FlowConfig> others =
                flows.stream().filter(other -> sameTarget(flow, other)).toList();
        if (others.isEmpty()) {
            return;
        }
        Shared key = shared(flow);
        if (key != null && others.stream().anyMatch(other -> key.equals(shared(other)))) {
            stages.sharedConcurrency(limits.computeIfAbsent(key, this::limit));
        } else {
            stages.limitNote(
                    "not shared with flow " + others.getFirst().name()
                            + " to the same target: only adaptive limits with equal bounds are shared, without collapse, pool.max and queue.length 0");
        }
    }

    private static boolean sameTarget(FlowConfig one, FlowConfig other) {
        return !one.to().isInProcess()
                && !one.name().equals(other.name())
                && target(one).equals(target(other));
    }

    private static String target(FlowConfig flow) {
        return flow.to().kind() + " " + flow.to();
    }

    private static @Nullable Shared shared(FlowConfig flow) {
        Bounds bounds = switch (flow.limit()) {
            case LimitConfig.Automatic automatic -> new Bounds(1, TargetLimit.MOST);
            case LimitConfig.Bounds given ->
                new Bounds(given.min().value(), given.max().value());
            case LimitConfig.Fixed fixed -> null;
        };
        return bounds == null
                        || flow.collapse() != null
                        || hasNoQueue(flow)
                        || flow.to().pool().max() != null
                ? null
                : new Shared(target(flow), bounds);
    }

    /** A flow without a queue would hardly get a permit beside a flow that waits. */
    private static boolean hasNoQueue(FlowConfig flow) {
        Configured<Integer> length = flow.queue().length();
        return length != null && length.value() == 0;
    }

    private TargetLimit limit(Shared key) {
        Duration longest = flows.stream()
                .filter(flow -> key.equals(shared(flow)))
                .map(flow -> flow.deadline().value())
                .max(Duration::compareTo)
                .orElseThrow();
        String name =
                StateFile.name("limit:@" + key.target().substring(key.target().indexOf(' ') + 1));
        return TargetLimit.adaptive(key.bounds().min(), key.bounds().max(), longest, learned, name);
    }
}
