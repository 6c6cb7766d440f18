package dev.penstock.gateway;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.JmsFrom;
import dev.penstock.gateway.config.JmsTo;
import dev.penstock.gateway.config.StatusConfig;
import org.jspecify.annotations.Nullable;

/** Finds out where it is kept what became of transactions that go through a queue. Opens nothing. */
final class StatusSetup {
    private StatusSetup() {}

    /**
     * What a flow keeps it by: as the file says; of a flow that answers before its transactions are carried, the file beside
     * the state; of one that takes them from the queue that such a flow fills, what that one has. Null for nothing.
     */
    static StatusConfig.@Nullable Kept of(FlowConfig flow, GatewayConfig config) {
        StatusConfig status = flow.status();
        return switch (status) {
            case StatusConfig.Kept kept -> kept;
            case StatusConfig.Off off -> null;
            case null -> flow.tellsStatus() ? StatusConfig.STANDARD : ofWhoFills(flow, config);
        };
    }

    private static StatusConfig.@Nullable Kept ofWhoFills(FlowConfig flow, GatewayConfig config) {
        if (!(flow.from() instanceof JmsFrom from) || flow.to() instanceof JmsTo) {
            return null;
        }
        for (FlowConfig other : config.flows()) {
            if (other.tellsStatus()
                    && other.to() instanceof JmsTo to
                    && to.queue().isSame(from.queue())) {
                return of(other, config);
            }
        }
        return null;
    }

    static @Nullable StatusStore book(FlowConfig flow, GatewayConfig config, IdempotencyStores stores) {
        StatusConfig.Kept kept = of(flow, config);
        return kept == null
                ? null
                : new StatusStore(
                        stores.at(kept.store().value()),
                        kept.keep().value(),
                        Math.toIntExact(kept.maxAnswer().value()));
    }
}
