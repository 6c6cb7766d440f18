package dev.penstock.gateway.jdbc;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import org.jspecify.annotations.Nullable;

/** Databases as targets. */
public final class JdbcTransport implements Transport {
    @Override
    public String targetKeys() {
        return "jdbc (sql database postgresql)";
    }

    @Override
    public @Nullable To readTarget(ConfigValue value, PoolConfig pool) {
        return JdbcReader.to(value, pool);
    }

    @Override
    public @Nullable String withoutPool(String key) {
        return null;
    }

    @Override
    public @Nullable CollapseKind readCollapse(ConfigValue value, String key) {
        return JdbcCollapse.read(value);
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
