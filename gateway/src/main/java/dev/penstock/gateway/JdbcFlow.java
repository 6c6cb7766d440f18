package dev.penstock.gateway;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind.JdbcCollapse;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.JdbcTo;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A flow to a database. An HTTP request is converted to parameter values before it enters the flow. */
record JdbcFlow(
        FlowConfig config, JdbcTo to, Flow<JdbcRequest, JdbcAnswer> flow, JdbcTarget target, ParameterReader parameters)
        implements BuiltFlow {
    private static final Headers JSON = Headers.none().with("Content-Type", "application/json");

    static JdbcFlow of(
            FlowConfig config,
            FlowBuilder<Object> stages,
            JdbcTo to,
            JdbcTarget target,
            @Nullable IdempotencyStore store) {
        DedupeSetup.overJdbc(config, store, stages);
        Flow<JdbcRequest, JdbcAnswer> flow = flow(config, stages, target);
        return new JdbcFlow(config, to, flow, target, JdbcSetup.reader(config, to, target));
    }

    private static Flow<JdbcRequest, JdbcAnswer> flow(
            FlowConfig config, FlowBuilder<Object> stages, JdbcTarget target) {
        if (!(config.collapse() instanceof JdbcCollapse collapse)) {
            return stages.to(target);
        }
        if (config.limit() instanceof LimitConfig.Automatic && collapse.lookup() == null && !target.isReading()) {
            stages.adaptiveConcurrency(1, JdbcBatch.AT_ONCE);
        }
        return stages.to(JdbcSetup.collapse(collapse, target));
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return call -> HttpAnswer.of(200, JSON, flow.call(parameters.read(call)).toJson());
    }

    @Override
    public Map<String, Long> connections() {
        return target.connections();
    }

    /** A JDBC target does not time the parts of a call. */
    @Override
    public Map<String, Long> times() {
        return Map.of();
    }

    @Override
    public List<Setting> moreSettings() {
        List<Setting> own = target.settings();
        return Stream.concat(own.stream(), JdbcSetup.pool(to, own.getFirst().since()).stream())
                .toList();
    }

    @Override
    public void close() {
        target.close();
    }
}
