package dev.penstock.gateway;

import dev.penstock.StateFile;
import dev.penstock.fleet.Fleet;
import dev.penstock.fleet.FleetShare;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.flow.TargetLimit;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.RateConfig;
import dev.penstock.gateway.transport.TransportContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Limits shared between flows of one file, to the same target with adaptive limits of equal bounds; and limits and rates shared by
 * the gateways of a fleet.
 */
final class SharedLimits {
    /** Unlike that of any other process, also of one before with the same process id. */
    private static final String MEMBER = "%s-%d-%08x"
            .formatted(
                    Objects.requireNonNullElse(System.getenv("HOSTNAME"), "gateway"),
                    ProcessHandle.current().pid(),
                    new SecureRandom().nextInt());

    private record Bounds(int min, int max) {}

    private record Shared(String target, Bounds bounds) {}

    private final List<FlowConfig> flows;
    private final TransportContext context;
    private final Map<Shared, TargetLimit> limits;
    private final List<FleetShare> fleets = new ArrayList<>();

    /**
     * The limits of a file.
     *
     * @param flows all flows of the file
     * @param context stores the learned limits, and knows where fleets meet
     * @param limits those that flows share already
     */
    private SharedLimits(List<FlowConfig> flows, TransportContext context, Map<Shared, TargetLimit> limits) {
        this.flows = flows;
        this.context = context;
        this.limits = new HashMap<>(limits);
    }

    /** Those of the first file. */
    static SharedLimits first(TransportContext context) {
        return new SharedLimits(context.config().flows(), context, Map.of());
    }

    /** Those of a file that was read again: what flows still share stays as it was. */
    SharedLimits next(TransportContext changed) {
        SharedLimits next = new SharedLimits(changed.config().flows(), changed, limits);
        next.limits.keySet().removeIf(shared -> next.flows.stream().noneMatch(flow -> shared.equals(shared(flow))));
        next.fleets.addAll(fleets);
        return next;
    }

    /** Whether a flow shares its limit with others to the same target, or could not: what it is built with. */
    static String of(FlowConfig flow, List<FlowConfig> flows) {
        Shared own = shared(flow);
        List<FlowConfig> others =
                flows.stream().filter(other -> sameTarget(flow, other)).toList();
        return others.isEmpty()
                ? "alone"
                : own != null && others.stream().anyMatch(other -> own.equals(shared(other))) ? "shared" : "not shared";
    }

    /**
     * Gives a flow the limit it shares with others. Other flows to the same target that cannot share it get a note with
     * the reason. A flow to several servers has a limit for each.
     */
    void apply(FlowConfig flow, FlowBuilder<Object> stages) {
        if (flow.to().endpoints() > 1) {
            return;
        }
        if (flow.isOfFleet()) {
            TargetLimit own = own(flow);
            stages.sharedConcurrency(own);
            shareRate(flow, own, stages);
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
            case LimitConfig.Fleet fleet -> null;
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

    private TargetLimit own(FlowConfig flow) {
        return switch (flow.limit()) {
            case LimitConfig.Automatic automatic -> adaptive(flow, 1, flow.mostAtOnce());
            case LimitConfig.Bounds bounds ->
                adaptive(flow, bounds.min().value(), bounds.max().value());
            case LimitConfig.Fixed fixed -> TargetLimit.fixed(fixed.permits().value());
            case LimitConfig.Fleet fleet
            when context.isPlan() -> TargetLimit.fixed(fleet.total().value());
            case LimitConfig.Fleet fleet -> {
                int safe = fleet.safe() == null ? 0 : fleet.safe().value();
                TargetLimit limit = TargetLimit.fleet(
                        new Fleet(flow.name(), MEMBER, 1, fleet.total().value(), safe, mostOf(flow)),
                        context.store().fleet());
                fleets.add(Objects.requireNonNull(limit.share()));
                yield limit;
            }
        };
    }

    private TargetLimit adaptive(FlowConfig flow, int min, int max) {
        int most = Math.min(max, mostOf(flow));
        return TargetLimit.adaptive(
                Math.min(min, most),
                most,
                flow.deadline().value(),
                context.learned(),
                StateFile.name("limit:" + flow.name()));
    }

    private void shareRate(FlowConfig flow, TargetLimit own, FlowBuilder<Object> stages) {
        RateConfig rate = flow.rate();
        if (rate == null || !rate.fleet()) {
            return;
        }
        double perSecond = rate.perSecond().value();
        if (context.isPlan()) {
            stages.rate(perSecond);
        } else {
            int units = (int) Math.round(perSecond * TargetLimit.RATE_UNITS);
            fleets.add(own.rate(
                    new Fleet(flow.name() + " rate", MEMBER, 1.0 / TargetLimit.RATE_UNITS, units, 0, Integer.MAX_VALUE),
                    context.store().fleet()));
        }
    }

    /** A share above the connections of the target would be of no use here, and be missed elsewhere. */
    private static int mostOf(FlowConfig flow) {
        Configured<Integer> connections = flow.to().pool().max();
        return connections == null ? Integer.MAX_VALUE : connections.value();
    }

    /** What this gateway has of the limits of its fleets. */
    List<FleetShare> fleets() {
        return fleets;
    }

    /** Gives the shares back. To be called after the flows have ended. */
    void close() {
        fleets.forEach(FleetShare::close);
    }

    private TargetLimit limit(Shared key) {
        Duration longest = flows.stream()
                .filter(flow -> key.equals(shared(flow)))
                .map(flow -> flow.deadline().value())
                .max(Duration::compareTo)
                .orElseThrow();
        String name =
                StateFile.name("limit:@" + key.target().substring(key.target().indexOf(' ') + 1));
        return TargetLimit.adaptive(key.bounds().min(), key.bounds().max(), longest, context.learned(), name);
    }
}
