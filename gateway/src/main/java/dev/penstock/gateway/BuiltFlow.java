package dev.penstock.gateway;

import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.Chosen;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.pool.ConnectionTotal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A flow and its target, built from the file, before it hangs on a source. */
record BuiltFlow(
        FlowConfig config,
        Flow<HttpCall, HttpAnswer> flow,
        HttpTarget target,
        @Nullable HttpStatusProbe probe) {
    /** The flows of a gateway, which share the bound on all their connections, if there is one. */
    static List<BuiltFlow> all(GatewayConfig config) {
        Chosen<Integer> most = config.poolTotal();
        ConnectionTotal total = most == null ? null : ConnectionTotal.of(most.value());
        return config.flows().stream().map(flow -> of(flow, total)).toList();
    }

    private static BuiltFlow of(FlowConfig config, @Nullable ConnectionTotal total) {
        HttpTarget target = TargetSetup.target(config, total);
        HttpStatusProbe probe = SettleSetup.probe(config, target);
        return new BuiltFlow(config, FlowSetup.flow(config, target, probe), target, probe);
    }

    /** Closes the connections. What is in flight ends, and nothing is asked about it any more. */
    void close() {
        flow.stopSettling();
        if (probe != null) {
            probe.close();
        }
        target.close();
    }
}
