package dev.penstock.gateway.kafka;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.status.InFlightStatus;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A flow to a topic. Each request gets an id, by which consumers recognize a record that was sent again. */
record KafkaFlow(
        FlowConfig config, Flow<HttpCall, HttpAnswer> flow, TopicTarget target, Service<HttpCall, HttpAnswer> service)
        implements TargetBinding {
    private static final long SHORTEST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 3_600_000;

    static KafkaFlow of(FlowConfig config, FlowBuilder<Object> stages, @Nullable InFlightStatus status) {
        KafkaTo to = (KafkaTo) config.to();
        String base = config.from().base();
        TopicTarget target =
                new TopicTarget(to.builder().timeout(timeout(config)).build(), base, to.key(), status);
        Flow<HttpCall, HttpAnswer> flow = stages.to(target);
        boolean keepsIds = config.from().hasIds();
        return new KafkaFlow(
                config, flow, target, new TransactionIds().before(InFlightStatus.around(flow, status), keepsIds));
    }

    /** What is not in the topic by the deadline should not get there much later. */
    private static Duration timeout(FlowConfig config) {
        long millis = config.deadline().value().toMillis();
        return Duration.ofMillis(Math.clamp(millis, SHORTEST_MILLIS, LONGEST_MILLIS));
    }
}
