package dev.penstock.gateway.kafka;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A flow to a topic. Each request gets an id, by which consumers recognize a record that was sent again. */
record KafkaFlow(FlowConfig config, Flow<HttpCall, HttpAnswer> flow, TopicTarget target, TransactionIds ids)
        implements TargetBinding {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    static KafkaFlow of(FlowConfig config, FlowBuilder<Object> stages) {
        KafkaTo to = (KafkaTo) config.to();
        Configured<String> key = to.key();
        TopicTarget target = new TopicTarget(
                to.builder().timeout(timeout(config)).build(), config.from().base(), key == null ? null : key.value());
        return new KafkaFlow(config, stages.to(target), target, new TransactionIds());
    }

    /** What is not in the topic by the deadline should not get there much later. */
    private static Duration timeout(FlowConfig config) {
        Duration deadline = config.deadline().value();
        return deadline.compareTo(SHORTEST) < 0 ? SHORTEST : deadline.compareTo(LONGEST) > 0 ? LONGEST : deadline;
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return ids.before(flow, config.from().hasIds());
    }

    @Override
    public List<Setting> settings() {
        return Stream.of(flow.settings(), target.settings())
                .flatMap(List::stream)
                .toList();
    }
}
