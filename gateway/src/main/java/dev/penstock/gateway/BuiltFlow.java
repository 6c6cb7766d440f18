package dev.penstock.gateway;

import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;

/** A flow and its target, built from the file, before it hangs on a source. */
record BuiltFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, HttpTarget target) {
    static BuiltFlow of(FlowConfig config) {
        HttpTarget target = FlowSetup.target(config);
        return new BuiltFlow(config, FlowSetup.flow(config, target), target);
    }
}
