package dev.penstock.gateway.http;

import dev.penstock.Collapse;
import dev.penstock.LiveSetting;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Settle;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpStatusProbe;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.batch.HttpBatch;
import dev.penstock.http.pool.ConnectionTotal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A flow to an HTTP server. */
record HttpFlow(
        FlowConfig config,
        HttpTo to,
        Flow<HttpCall, HttpAnswer> flow,
        HttpTarget target,
        @Nullable HttpStatusProbe probe,
        @Nullable HttpBatch batch,
        Instant since)
        implements TargetBinding {
    static HttpFlow of(
            FlowConfig config, FlowBuilder<Object> stages, @Nullable ConnectionTotal total, Set<String> callerHeaders) {
        HttpTo to = (HttpTo) config.to();
        HttpTarget target = TargetSetup.target(config, to, to.url().value(), total);
        HttpStatusProbe probe = SettleSetup.probe(config, to, target);
        HttpBatch batch = CollapseSetup.batch(config, to, target, total, callerHeaders);
        return new HttpFlow(
                config, to, flow(config, stages, target, probe, batch), target, probe, batch, Instant.now());
    }

    private static Flow<HttpCall, HttpAnswer> flow(
            FlowConfig config,
            FlowBuilder<Object> flow,
            HttpTarget target,
            @Nullable HttpStatusProbe probe,
            @Nullable HttpBatch batch) {
        SettleConfig asked = config.settle();
        Settle<HttpCall, HttpAnswer> settle = asked == null || probe == null ? null : SettleSetup.settle(asked, probe);
        if (!(config.collapse() instanceof HttpCollapse collapsed) || batch == null) {
            return settle == null ? flow.to(target) : flow.to(target, settle);
        }
        Collapse<HttpCall, HttpAnswer> collapse = CollapseSetup.collapse(collapsed, batch, target);
        return settle == null ? flow.to(collapse) : flow.to(collapse, settle);
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return flow;
    }

    private boolean sharesConnections() {
        return CollapseSetup.sharesConnections(config, to);
    }

    /** The sum of the counters of target and batches, if the batches have connections of their own. */
    private Map<String, Long> withBatches(Map<String, Long> ofTarget, Function<HttpBatch, Map<String, Long>> ofBatch) {
        if (batch == null || sharesConnections()) {
            return ofTarget;
        }
        Map<String, Long> sum = new LinkedHashMap<>(ofTarget);
        ofBatch.apply(batch).forEach((name, count) -> sum.merge(name, count, Long::sum));
        return sum;
    }

    @Override
    public Map<String, Long> connections() {
        return withBatches(target.connections(), HttpBatch::connections);
    }

    @Override
    public Map<String, Long> times() {
        return withBatches(target.times(), HttpBatch::times);
    }

    /** A flow lists the settings of one target; a flow with collapse has two. */
    @Override
    public List<Setting> settings() {
        if (batch == null) {
            return flow.settings();
        }
        return Stream.of(CollapseSetup.settings(config, since), flow.settings(), batch.settings(), target.settings())
                .flatMap(List::stream)
                .filter(setting -> !(setting.name().startsWith("collapse.pool.") && sharesConnections()))
                .toList();
    }

    /** A flow with collapse does not know the settings of this target. */
    @Override
    public Setting pin(String setting, String value, String by) {
        LiveSetting own = ofTarget(setting);
        return own == null ? flow.pin(setting, value, by) : own.pin(value, by);
    }

    @Override
    public Setting unpin(String setting) {
        LiveSetting own = ofTarget(setting);
        return own == null ? flow.unpin(setting) : own.unpin();
    }

    private @Nullable LiveSetting ofTarget(String setting) {
        return target.pinnable().stream()
                .filter(live -> live.name().equals(setting))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        flow.stopSettling();
        if (probe != null) {
            probe.close();
        }
        if (batch != null) {
            batch.close();
        }
        target.close();
    }
}
