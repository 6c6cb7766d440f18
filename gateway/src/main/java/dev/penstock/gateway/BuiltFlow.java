package dev.penstock.gateway;

import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import org.jspecify.annotations.Nullable;

/** A flow and its target, built from the file, before it hangs on a source. */
record BuiltFlow(
        FlowConfig config,
        Flow<HttpCall, HttpAnswer> flow,
        HttpTarget target,
        @Nullable HttpStatusProbe probe) {
    static BuiltFlow of(FlowConfig config) {
        HttpTarget target = FlowSetup.target(config);
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
