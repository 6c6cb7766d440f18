package dev.penstock.gateway.jdbc;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcDedupe;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import java.util.List;
import java.util.stream.Stream;
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
    public void ask(FlowConfig flow, ConfigProblems problems) {
        if (flow.to() instanceof JdbcTo to) {
            JdbcSetup.ask(to, problems);
        }
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

    /** A flow to a database. An HTTP request is converted to parameter values before it enters the flow. */
    private record JdbcFlow(
            FlowConfig config,
            JdbcTo to,
            Flow<JdbcRequest, JdbcAnswer> flow,
            JdbcTarget target,
            ParameterReader parameters)
            implements TargetBinding {
        private static final Headers JSON = Headers.none().with("Content-Type", "application/json");

        static JdbcFlow of(FlowConfig config, FlowBuilder<Object> stages, TransportContext context) {
            JdbcTo to = (JdbcTo) config.to();
            JdbcTarget target = context.isPlan()
                    ? JdbcSetup.plan(to)
                    : JdbcSetup.target(config, to, context.config().state().value(), context.learned());
            context.dedupe(config, stages, (dedupe, store) -> {
                Configured<List<String>> per = dedupe.per();
                return JdbcDedupe.byKey(dedupe.key().value(), store, per == null ? List.of() : per.value());
            });
            Flow<JdbcRequest, JdbcAnswer> flow = config.collapse() instanceof JdbcCollapse collapse
                    ? stages.to(JdbcSetup.collapse(collapse, target))
                    : stages.to(target);
            return new JdbcFlow(config, to, flow, target, JdbcSetup.reader(config, to, target, context.config()));
        }

        @Override
        public Service<HttpCall, HttpAnswer> service() {
            List<String> methods = target.isReading() ? List.of("GET", "HEAD", "POST") : List.of("POST");
            return call -> {
                if (!methods.contains(call.method())) {
                    throw BadInput.methodNotAllowed(
                            "The statement of this flow " + (target.isReading() ? "reads" : "may write") + ": use "
                                    + String.join(" or ", methods) + ".",
                            String.join(", ", methods));
                }
                return HttpAnswer.of(200, JSON, flow.call(parameters.read(call)).toJson());
            };
        }

        @Override
        public List<Setting> settings() {
            List<Setting> own = target.settings();
            return Stream.of(
                            flow.settings(),
                            own,
                            JdbcSetup.pool(to, own.getFirst().since()))
                    .flatMap(List::stream)
                    .toList();
        }
    }
}
