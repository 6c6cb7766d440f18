package dev.penstock.gateway;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.LimitConfig;
import dev.penstock.gateway.config.ReplaceTo;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.TargetLimit;
import dev.penstock.state.StateFile;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits that flows of one file share: those that go to the same target, with adaptive limits of the same bounds. */
final class SharedLimits {
    private record Bounds(int min, int max) {}

    private record Shared(String target, Bounds bounds) {}

    private final List<FlowConfig> flows;
    private final StateFile learned;
    private final Map<Shared, TargetLimit> limits = new HashMap<>();

    /**
     * No limit yet.
     *
     * @param flows all flows of the file
     * @param learned keeps what the limits learn
     */
    SharedLimits(List<FlowConfig> flows, StateFile learned) {
        this.flows = flows;
        this.learned = learned;
    }

    /** Gives a flow the limit that it shares with others; when they do not share it, its reason says why. */
    void give(FlowConfig flow, FlowBuilder stages) {
        List<FlowConfig> beside =
                flows.stream().filter(other -> sameTarget(flow, other)).toList();
        if (beside.isEmpty()) {
            return;
        }
        Shared key = shared(flow);
        if (key != null && beside.stream().anyMatch(other -> key.equals(shared(other)))) {
            stages.limit(limits.computeIfAbsent(key, this::limit));
        } else {
            stages.limitNote(
                    "not shared with flow " + beside.getFirst().name()
                            + " to the same target: only adaptive limits with equal bounds are, without collapse or queue.length 0");
        }
    }

    private static boolean sameTarget(FlowConfig one, FlowConfig other) {
        return !(one.to() instanceof ReplaceTo)
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
        return bounds == null || flow.collapse() != null || letsNobodyWait(flow)
                ? null
                : new Shared(target(flow), bounds);
    }

    /** Beside a flow that waits it would get hardly a permit. */
    private static boolean letsNobodyWait(FlowConfig flow) {
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
        return TargetLimit.adaptive(
                key.bounds().min(),
                key.bounds().max(),
                longest,
                new LearnedLimit(learned.value(name), permits -> learned.keep(name, permits)));
    }
}
