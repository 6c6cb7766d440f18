package dev.penstock.spring;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Methods with {@link Flowed} as the target of a flow. */
final class MethodTransport implements Transport {
    /** Its key in {@code to}, which is added to each flow without one. */
    static final String KEY = "method";

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
    public List<Rule<?>> rules() {
        return List.of(
                Rule.flowError("methods have no headers", "dedupe retry.key queue.priority", MethodTransport::headers));
    }

    private static void headers(FlowConfig flow, ConfigProblems problems) {
        if (flow.to() instanceof MethodTo) {
            RetryConfig retry = flow.retry();
            refuse(flow.dedupe() == null ? null : flow.dedupe().key(), flow, problems);
            refuse(retry == null ? null : retry.key(), flow, problems);
            refuse(flow.queue().priority(), flow, problems);
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
        return new MethodBinder();
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

    private record MethodBinder() implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            MethodTarget target = new MethodTarget(flow.to().toString());
            return new MethodFlow(flow, stages.to(target), target);
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
    private record MethodTarget(String where) implements Target<MethodCall, Optional<Object>> {
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
