package dev.penstock.gateway;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A flow to a target that only uses the request body: a UDP peer, or find and replace. */
record BodyFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, Target<HttpCall, HttpAnswer> target)
        implements BuiltFlow {
    static BodyFlow of(
            FlowConfig config,
            FlowBuilder<Object> stages,
            Target<HttpCall, HttpAnswer> target,
            @Nullable IdempotencyStore store) {
        DedupeSetup.overHttp(config, store, stages);
        return new BodyFlow(config, stages.to(target), target);
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return flow;
    }

    @Override
    public Map<String, Long> connections() {
        return target.connections();
    }

    /** These targets do not time the parts of a call. */
    @Override
    public Map<String, Long> times() {
        return Map.of();
    }

    @Override
    public List<Setting> moreSettings() {
        return List.of();
    }

    @Override
    public void close() {
        target.close();
    }
}
