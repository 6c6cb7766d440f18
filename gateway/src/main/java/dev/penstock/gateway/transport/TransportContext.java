package dev.penstock.gateway.transport;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.StateFile;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.status.IdempotencyStores;
import dev.penstock.http.HttpDedupe;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * What a transport may use of the gateway.
 *
 * @param config the whole file
 * @param learned the state file with learned values
 * @param stores the idempotency stores for dedupe and transaction status
 * @param startGate sources put it before their flows, so that none is called before all parts have started
 * @param bound the flows by name; complete once all are bound
 * @param isPlan whether the flows are only shown, so that no connection may be opened
 */
public record TransportContext(
        GatewayConfig config,
        StateFile learned,
        IdempotencyStores stores,
        StartGate startGate,
        Map<String, TargetBinding> bound,
        boolean isPlan) {
    /** For a gateway whose flows are still to be bound. */
    public TransportContext(
            GatewayConfig config, StateFile learned, IdempotencyStores stores, StartGate startGate, boolean isPlan) {
        this(config, learned, stores, startGate, new ConcurrentHashMap<>(), isPlan);
    }

    /** Adds the dedupe stage to a flow with HTTP calls, if configured. */
    public void dedupe(FlowConfig flow, FlowBuilder<Object> stages) {
        dedupe(flow, stages, (dedupe, store) -> {
            String header = dedupe.key().value();
            Configured<List<String>> per = dedupe.per();
            return per == null ? HttpDedupe.byHeader(header, store) : HttpDedupe.byHeader(header, store, per.value());
        });
    }

    /** As above, for a flow with other requests. */
    public void dedupe(
            FlowConfig flow, FlowBuilder<Object> stages, BiFunction<DedupeConfig, IdempotencyStore, Dedupe<?>> byKey) {
        DedupeConfig config = flow.dedupe();
        IdempotencyStore store = stores.of(flow);
        if (config == null || store == null) {
            return;
        }
        Dedupe<?> dedupe = byKey.apply(config, store).storeOrigin(config.store().origin());
        if (config.keep().inFile()) {
            dedupe = dedupe.keep(config.keep().value());
        }
        if (config.maxAnswer().inFile()) {
            dedupe = dedupe.maxAnswer(Math.toIntExact(config.maxAnswer().value()));
        }
        stages.dedupe(dedupe);
    }
}
