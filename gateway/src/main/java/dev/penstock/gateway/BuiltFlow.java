package dev.penstock.gateway;

import dev.penstock.dedupe.KeyLedger;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.Chosen;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.batch.HttpBatch;
import dev.penstock.http.pool.ConnectionTotal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A flow and its target, built from the file, before it hangs on a source. */
record BuiltFlow(
        FlowConfig config,
        Flow<HttpCall, HttpAnswer> flow,
        HttpTarget target,
        @Nullable HttpStatusProbe probe,
        @Nullable HttpBatch batch,
        @Nullable KeyLedger ledger) {
    /** The flows of a gateway, which share the bound on all their connections, if there is one. */
    static List<BuiltFlow> all(GatewayConfig config) {
        Chosen<Integer> most = config.poolTotal();
        ConnectionTotal total = most == null ? null : ConnectionTotal.of(most.value());
        KeyStores stores = new KeyStores(config.state().value());
        return config.flows().stream().map(flow -> of(flow, total, stores)).toList();
    }

    private static BuiltFlow of(FlowConfig config, @Nullable ConnectionTotal total, KeyStores stores) {
        HttpTarget target = TargetSetup.target(config, total);
        HttpStatusProbe probe = SettleSetup.probe(config, target);
        HttpBatch batch = CollapseSetup.batch(config, target, total);
        KeyLedger ledger = stores.of(config.dedupe());
        return new BuiltFlow(
                config, FlowSetup.flow(config, target, probe, batch, ledger), target, probe, batch, ledger);
    }

    /** A count of the target and of its batches together, by name, where each has connections of its own. */
    private Map<String, Long> together(Map<String, Long> ofTarget, Function<HttpBatch, Map<String, Long>> ofBatch) {
        if (batch == null || CollapseSetup.sharesConnections(config)) {
            return ofTarget;
        }
        Map<String, Long> sum = new LinkedHashMap<>(ofTarget);
        ofBatch.apply(batch).forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    Map<String, Long> connections() {
        return together(target.connections(), HttpBatch::connections);
    }

    Map<String, Long> times() {
        return together(target.times(), HttpBatch::times);
    }

    /** Connects to the ledger, if there is one. */
    void openLedger() throws IOException {
        if (ledger == null) {
            return;
        }
        try {
            ledger.open();
        } catch (Exception cannot) {
            throw new IOException(
                    "flow " + config.name() + ": its keys cannot be kept in " + ledger.where() + ": "
                            + cannot.getMessage() + "; mend dedupe.store, or whatever keeps it from opening",
                    cannot);
        }
    }

    /** Closes the ledger: last of all, since endings are written down there. Flows may share it. */
    void closeLedger() {
        if (ledger != null) {
            ledger.close();
        }
    }

    /** Closes the connections. What is in flight ends, and nothing is asked about it any more. */
    void close() {
        flow.stopSettling();
        if (probe != null) {
            probe.close();
        }
        if (batch != null) {
            batch.close();
        }
        target.close();
    }
}
