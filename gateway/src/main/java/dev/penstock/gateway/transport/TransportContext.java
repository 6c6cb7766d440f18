package dev.penstock.gateway.transport;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.StateFile;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.status.GatewayStore;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
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
 * @param bound the flows by name, as requests find them; complete once all are bound
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

    /**
     * Calls a flow as it is when a request comes: a reload may have replaced it since its source was built, or while its body was
     * read.
     */
    public Service<HttpCall, HttpAnswer> current(String name) {
        return call -> {
            while (true) {
                TargetBinding now = bound.get(name);
                if (now == null) {
                    throw new Rejected(Rejected.Cause.DRAINING, "the flow " + name + " has ended");
                }
                try {
                    return now.service().call(call);
                } catch (Rejected late) {
                    TargetBinding next = bound.get(name);
                    boolean isReplaced = next != null && !next.flow().equals(now.flow());
                    if (late.why() != Rejected.Cause.DRAINING || !isReplaced) {
                        throw late;
                    }
                }
            }
        };
    }

    /** The same for the flows of a file that was read again. */
    public TransportContext next(GatewayConfig changed) {
        return new TransportContext(changed, learned, store, startGate, bound, isPlan);
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
