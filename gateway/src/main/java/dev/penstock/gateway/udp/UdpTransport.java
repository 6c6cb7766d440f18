package dev.penstock.gateway.udp;

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
import java.util.List;

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
                return TargetBinding.of(flow, stages, DatagramTarget.of(flow, to));
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
}
