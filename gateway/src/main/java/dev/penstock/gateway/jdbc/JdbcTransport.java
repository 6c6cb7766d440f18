package dev.penstock.gateway.jdbc;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Databases as targets. */
public final class JdbcTransport implements Transport {
    @Override
    public List<Key<? extends To>> targets() {
        return List.of(JdbcReader.TO);
    }

    @Override
    public @Nullable String withoutPool(String key) {
        return null;
    }

    @Override
    public KeyType<? extends CollapseKind> collapse(String key) {
        return JdbcCollapse.TYPE;
    }

    @Override
    public List<Rule<?>> rules() {
        return JdbcRules.ALL;
    }

    @Override
    public Binder bind(TransportContext context) {
        return new JdbcBinder(context);
    }

    private record JdbcBinder(TransportContext context) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            return JdbcFlow.of(flow, stages, context);
        }
    }
}
