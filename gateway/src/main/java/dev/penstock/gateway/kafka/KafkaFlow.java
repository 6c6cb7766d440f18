package dev.penstock.gateway.kafka;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Duration;

/** A flow to a topic. Each request gets an id, by which consumers recognize a record that was sent again. */
record KafkaFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, TopicTarget target, TransactionIds ids)
        implements TargetBinding {
    private static final long SHORTEST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 3_600_000;

    static KafkaFlow of(FlowConfig config, FlowBuilder<Object> stages) {
        KafkaTo to = (KafkaTo) config.to();
        Configured<String> key = to.key();
        TopicTarget target = new TopicTarget(
                to.builder().timeout(timeout(config)).build(), config.from().base(), key == null ? null : key.value());
        return new KafkaFlow(config, stages.to(target), target, new TransactionIds());
    }

    /** What is not in the topic by the deadline should not get there much later. */
    private static Duration timeout(FlowConfig config) {
        long millis = config.deadline().value().toMillis();
        return Duration.ofMillis(Math.clamp(millis, SHORTEST_MILLIS, LONGEST_MILLIS));
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return ids.before(flow, config.from().hasIds());
    }
}
