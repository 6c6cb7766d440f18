package dev.penstock.gateway.transport;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.StateFile;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.status.GatewayStore;
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
 * @param store the idempotency store for dedupe and transaction status
 * @param startGate sources put it before their flows, so that none is called before all parts have started
 * @param bound the flows by name; complete once all are bound
 * @param isPlan whether the flows are only shown, so that no connection may be opened
 */
public record TransportContext(
        GatewayConfig config,
        StateFile learned,
        GatewayStore store,
        StartGate startGate,
        Map<String, TargetBinding> bound,
        boolean isPlan) {
    /** For a gateway whose flows are still to be bound. */
    public TransportContext(
            GatewayConfig config, StateFile learned, GatewayStore store, StartGate startGate, boolean isPlan) {
        this(config, learned, store, startGate, new ConcurrentHashMap<>(), isPlan);
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
        if (flow.dedupe() == null) {
            return;
        }
        DedupeConfig keys = flow.dedupe().per(config.callerHeaders(flow));
        Dedupe<?> dedupe =
                byKey.apply(keys, store.get()).storeOrigin(config.store().origin());
        if (keys.keep().inFile()) {
            dedupe = dedupe.keep(keys.keep().value());
        }
        if (keys.maxAnswer().inFile()) {
            dedupe = dedupe.maxAnswer(Math.toIntExact(keys.maxAnswer().value()));
        }
        stages.dedupe(dedupe);
    }
}
