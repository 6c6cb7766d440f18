package dev.penstock.gateway.udp;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** UDP as source and target, and find and replace, which the thread that reads datagrams can do itself. */
public final class UdpTransport implements Transport {
    private static final String REPLACE = "replace";

    @Override
    public List<Key<? extends From>> sources() {
        return List.of(UdpReader.FROM);
    }

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(UdpReader.TO, ReplaceTo.TO);
    }

    @Override
    public String withoutPool(String key) {
        return key.equals(REPLACE) ? "find and replace uses none" : "datagrams use one socket";
    }

    @Override
    public List<Rule<?>> rules() {
        return UdpRules.ALL;
    }

    @Override
    public Binder bind(TransportContext context) {
        return new UdpBinder(context);
    }

    private record UdpBinder(TransportContext context) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            context.dedupe(flow, stages);
            if (flow.to() instanceof UdpTo to) {
                DatagramTarget target = DatagramTarget.of(flow, to);
                return new DatagramFlow(flow, stages.to(target), target);
            }
            return TargetBinding.of(flow, stages, ReplaceTarget.of((ReplaceTo) flow.to()));
        }

        @Override
        public List<SourceBinding> sources(List<TargetBinding> flows) {
            return flows.stream()
                    .<SourceBinding>map(flow -> DatagramSource.of(flow, context.startGate()))
                    .toList();
        }
    }

    /** A flow to a UDP peer. */
    private record DatagramFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, DatagramTarget target)
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
}
