package dev.penstock.gateway.status;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.StatusConfig;
import org.jspecify.annotations.Nullable;

/** Determines where the outcomes of transactions that pass a queue are stored. Opens nothing. */
public final class StatusSetup {
    private StatusSetup() {}

    /**
     * The status settings of a flow: those of the file; else, for a flow that answers 202 before processing, a file
     * beside the state file; for a flow that consumes the queue such a flow fills, the settings of that flow; else
     * null.
     */
    public static StatusConfig.@Nullable Stored of(FlowConfig flow, GatewayConfig config) {
        StatusConfig status = flow.status();
        return switch (status) {
            case StatusConfig.Stored stored -> stored;
            case StatusConfig.Off off -> null;
            case null -> flow.hasStatusPage() ? StatusConfig.DEFAULT : ofProducer(flow, config);
        };
    }

    private static StatusConfig.@Nullable Stored ofProducer(FlowConfig flow, GatewayConfig config) {
        if (!flow.from().isQueue() || flow.to().isQueue()) {
            return null;
        }
        for (FlowConfig other : config.flows()) {
            if (other.hasStatusPage() && flow.from().consumes(other.to())) {
                return of(other, config);
            }
        }
        return null;
    }

    public static @Nullable StatusStore store(FlowConfig flow, GatewayConfig config, IdempotencyStores stores) {
        StatusConfig.Stored stored = of(flow, config);
        return stored == null
                ? null
                : new StatusStore(
                        stores.at(stored.store().value()),
                        stored.keep().value(),
                        Math.toIntExact(stored.maxAnswer().value()));
    }
}
