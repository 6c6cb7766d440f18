package dev.penstock.gateway.transport;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import java.util.Map;

/** A flow with its target in a gateway, and what is shown of them. Thread-safe. */
public interface TargetBinding {
    /** A flow whose target takes HTTP calls. */
    static TargetBinding of(FlowConfig config, FlowBuilder<Object> stages, Target<HttpCall, HttpAnswer> target) {
        return new OfCalls(config, stages.to(target), target);
    }

    /** What was read from the file. */
    FlowConfig config();

    /** The flow. */
    Flow<?, ?> flow();

    /** The target. */
    Target<?, ?> target();

    /** The flow as the source calls it. */
    Service<HttpCall, HttpAnswer> service();

    /** The address, in one short line without secrets. */
    default String where() {
        return target().where();
    }

    /** The flows to its servers, if it has several. */
    default List<? extends Flow<?, ?>> endpoints() {
        return List.of();
    }

    /** The number of requests that can be processed concurrently now, as {@link Flow#capacity}. */
    default int capacity() {
        return flow().capacity();
    }

    /** Connections by state. */
    default Map<String, Long> connections() {
        return target().connections();
    }

    /** The time of exchanges with the target, in nanoseconds by part, and their {@code count}. */
    default Map<String, Long> times() {
        return Map.of();
    }

    /** Counters by family and result, as {@link SourceBinding#counters}. */
    default Map<String, Map<String, Long>> counters() {
        return target().counters();
    }

    /** The settings of the flow and its target. */
    default List<Setting> settings() {
        return flow().settings();
    }

    /** Pins one of these settings, as {@link Flow#pin}. */
    default Setting pin(String setting, String value, String by) {
        return flow().pin(setting, value, by);
    }

    /** Unpins one of these settings, as {@link Flow#unpin}. */
    default Setting unpin(String setting) {
        return flow().unpin(setting);
    }

    /** Closes the connections. Transactions in flight end without further status queries. */
    default void close() {
        target().close();
    }

    /** A flow whose target takes HTTP calls. */
    record OfCalls(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, Target<HttpCall, HttpAnswer> target)
            implements TargetBinding {
        @Override
        public Service<HttpCall, HttpAnswer> service() {
            return flow;
        }
    }
}
