package dev.penstock.gateway.status;

import dev.penstock.Dedupe;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines where the outcomes of transactions that pass a queue are stored. Opens nothing. */
public final class StatusSetup {
    private StatusSetup() {}

    /**
     * The status settings of a flow: those of the file; else, for a flow that answers 202 before processing, a file
     * beside the state file; for a flow that gets the transactions of such a flow, through any number of queues and
     * flows, the settings of that flow; else null.
     */
    public static @Nullable Configured<Duration> of(FlowConfig flow, GatewayConfig config) {
        return of(config.last(flow), config, new HashSet<>());
    }

    private static @Nullable Configured<Duration> of(FlowConfig flow, GatewayConfig config, Set<String> seen) {
        Configured<Duration> status = flow.status();
        if (status != null) {
            return flow.hasStatusOff() ? null : status;
        }
        return config.hasStatusPage(flow) ? Configured.byDefault(Dedupe.DEFAULT_KEEP) : ofProducer(flow, config, seen);
    }

    /** Queues may form a circle. */
    private static @Nullable Configured<Duration> ofProducer(FlowConfig flow, GatewayConfig config, Set<String> seen) {
        if (!seen.add(flow.name())) {
            return null;
        }
        return config.flows().stream()
                .filter(other ->
                        flow.name().equals(other.to().flow()) || flow.from().consumes(other.to()))
                .map(other -> of(other, config, seen))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * Records the transactions that enter a queue as pending; null for a flow that none enters: without a status, or from
     * another queue, which has recorded them.
     */
    public static @Nullable InFlightStatus inFlight(FlowConfig flow, GatewayConfig config, GatewayStore gatewayStore) {
        List<FlowConfig> callers = config.flows().stream()
                .filter(other -> config.last(other).equals(flow))
                .toList();
        StatusStore statuses = store(flow, config, gatewayStore);
        return statuses == null || callers.stream().noneMatch(config::hasStatusPage)
                ? null
                : new InFlightStatus(
                        statuses,
                        callers.stream().anyMatch(caller -> caller.from().isQueue()));
    }

    /** Stores the endings of the transactions that a flow gets from a queue. */
    public static StoredEndings endings(FlowConfig flow, GatewayConfig config, GatewayStore gatewayStore) {
        FlowConfig last = config.last(flow);
        boolean isHop = last.to().isQueue()
                && (last.to().storesStatus()
                        || last.status() != null
                        || config.flows().stream().anyMatch(next -> next.from().consumes(last.to())));
        return new StoredEndings(store(flow, config, gatewayStore), isHop);
    }

    public static @Nullable StatusStore store(FlowConfig flow, GatewayConfig config, GatewayStore gatewayStore) {
        Configured<Duration> keep = of(flow, config);
        return keep == null ? null : new StatusStore(gatewayStore.get(), keep.value(), Dedupe.DEFAULT_MAX_ANSWER);
    }
}
