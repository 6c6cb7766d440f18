package dev.penstock.spring;

import dev.penstock.Collapse;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.flow.TargetLimit;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.PlainCollapse;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Methods with {@link Flowed} as the target of a flow. */
final class MethodTransport implements Transport {
    /** Its key in {@code to}, which is added to each flow without one. */
    static final String KEY = "method";

    private static final String JSON = "tools.jackson.databind.json.JsonMapper";
    private static final KeyType<PlainCollapse> COLLAPSE = PlainCollapse.type(TargetLimit.MOST);

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(Key.of(KEY, KeyType.text("the name of the flow", MethodTransport::to), "methods with @Flowed"));
    }

    private static @Nullable MethodTo to(ConfigValue value) {
        String flow = value.text();
        return flow == null ? null : new MethodTo(flow);
    }

    @Override
    public String withoutPool(String key) {
        return "methods need no connections";
    }

    @Override
    public KeyType<? extends CollapseKind> collapse(String key) {
        return COLLAPSE;
    }

    @Override
    public List<Rule<?>> rules() {
        return List.of(Rule.flowError("methods have no headers", "dedupe queue.priority", MethodTransport::headers));
    }

    private static void headers(FlowConfig flow, ConfigProblems problems) {
        DedupeConfig dedupe = flow.dedupe();
        if (flow.to() instanceof MethodTo) {
            refuse(dedupe == null ? null : dedupe.per(), flow, problems);
            refuse(flow.queue().priority(), flow, problems);
            if (dedupe != null && !ClassUtils.isPresent(JSON, null)) {
                problems.add(
                        dedupe.location(),
                        "flow '" + flow.name() + "' has 'dedupe', which keeps answers of methods as JSON: add"
                                + " tools.jackson.core:jackson-databind, for instance with spring-boot-starter-jackson");
            }
        }
    }

    private static void refuse(@Nullable Configured<?> header, FlowConfig flow, ConfigProblems problems) {
        if (header != null) {
            problems.add(
                    header.location(),
                    "flow '" + flow.name() + "' has no 'to', so it is for methods with @Flowed, which have no headers;"
                            + " remove this key, or add 'to'");
        }
    }

    @Override
    public Binder bind(TransportContext context) {
        return new MethodBinder(context);
    }

    /** The target: the methods of a flow. */
    private record MethodTo(String of) implements To {
        @Override
        public String kind() {
            return KEY;
        }

        @Override
        public boolean isInProcess() {
            return true;
        }

        @Override
        public String toString() {
            return "@Flowed(\"" + of + "\")";
        }
    }

    private record MethodBinder(TransportContext context) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            context.dedupe(
                    flow,
                    stages,
                    (dedupe, store) -> Dedupe.byKey(dedupe.key().value(), store, new StoredAnswer.Codec()));
            MethodTarget target = new MethodTarget(flow.to().toString());
            CollapseKind collapse = flow.collapse();
            return new MethodFlow(
                    flow, collapse == null ? stages.to(target) : stages.to(batches(flow, collapse)), target);
        }

        private static Collapse<MethodCall, Optional<Object>> batches(FlowConfig flow, CollapseKind config) {
            Collapse<MethodCall, Optional<Object>> collapse = config.bounded(
                    Collapse.<MethodCall, Optional<Object>>into(Service.honoringDeadline(MethodCall::proceedAll))
                            .only(call -> call.batch() != null)
                            .per(call -> Objects.requireNonNull(call.batch())));
            return flow.idempotent().value() ? collapse.readOnly() : collapse;
        }
    }

    private record MethodFlow(FlowConfig config, Flow<MethodCall, Optional<Object>> flow, MethodTarget target)
            implements TargetBinding {
        @Override
        public Service<HttpCall, HttpAnswer> service() {
            return _ -> {
                throw new Failed(
                        Failed.Cause.REFUSED, "flow " + config.name() + " takes calls of methods only; give it a 'to'");
            };
        }
    }

    /** Calls methods, on the threads of their callers. */
    record MethodTarget(String where) implements Target<MethodCall, Optional<Object>> {
        @Override
        public Optional<Object> call(MethodCall call) throws Exception {
            return call.proceed();
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
