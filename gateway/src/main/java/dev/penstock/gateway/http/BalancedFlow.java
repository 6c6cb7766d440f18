package dev.penstock.gateway.http;

import dev.penstock.Service;
import dev.penstock.StateFile;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.TargetStages;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.balance.BalancedTarget;
import dev.penstock.http.pool.ConnectionTotal;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A flow to several HTTP servers, each behind a flow with a breaker and a limit. */
record BalancedFlow(
        FlowConfig config,
        Flow<HttpCall, HttpAnswer> flow,
        BalancedTarget target,
        List<Flow<HttpCall, HttpAnswer>> endpoints,
        @Nullable HttpStatusProbe probe)
        implements TargetBinding {
    static BalancedFlow of(
            FlowConfig config, FlowBuilder<Object> stages, StateFile learned, @Nullable ConnectionTotal total) {
        HttpTo to = (HttpTo) config.to();
        BalancedTarget.Builder servers = BalancedTarget.builder();
        List<Flow<HttpCall, HttpAnswer>> endpoints = new ArrayList<>();
        for (URI url : to.urls()) {
            HttpTarget server = TargetSetup.target(config, to, url, total);
            FlowBuilder<Object> own =
                    Flow.named(config.name() + "-" + (endpoints.size() + 1)).state(learned);
            TargetStages.add(config, own);
            Flow<HttpCall, HttpAnswer> endpoint = own.to(server);
            servers.endpoint(server, endpoint);
            endpoints.add(endpoint);
        }
        BalancedTarget target = servers.build();
        HttpStatusProbe probe = SettleSetup.probe(config, to, null);
        SettleConfig settle = config.settle();
        Flow<HttpCall, HttpAnswer> flow = settle == null || probe == null
                ? stages.to(target)
                : stages.to(target, SettleSetup.settle(settle, probe));
        return new BalancedFlow(config, flow, target, List.copyOf(endpoints), probe);
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return flow;
    }

    @Override
    public int capacity() {
        long sum = endpoints.stream().mapToLong(Flow::capacity).sum();
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    @Override
    public Map<String, Long> times() {
        return target.times();
    }

    @Override
    public void close() {
        flow.stopSettling();
        if (probe != null) {
            probe.close();
        }
        target.close();
    }
}
