package dev.penstock.gateway.udp;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.LinkedHashMap;
import java.util.Map;

/** A flow to a UDP peer. */
record DatagramFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, DatagramTarget target)
        implements TargetBinding {
    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return flow;
    }

    @Override
    public Map<String, Map<String, Long>> counters() {
        Map<String, Long> counts = new LinkedHashMap<>();
        target.counts().forEach((what, count) -> counts.put("target_" + what, count));
        return Map.of("datagrams", counts);
    }
}
