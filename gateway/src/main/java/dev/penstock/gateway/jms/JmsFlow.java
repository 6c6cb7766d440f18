package dev.penstock.gateway.jms;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.PlainCollapse;
import dev.penstock.gateway.status.InFlightStatus;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.JmsTargetBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A flow to a queue or topic. Each request gets an id, by which the broker detects a duplicate message. */
record JmsFlow(
        FlowConfig config,
        Flow<HttpCall, HttpAnswer> flow,
        Target<?, ?> target,
        TransactionIds ids,
        @Nullable InFlightStatus inFlightStatus)
        implements TargetBinding {
    static JmsFlow of(
            FlowConfig config, FlowBuilder<Object> stages, Brokers brokers, @Nullable InFlightStatus inFlightStatus) {
        QueueTarget single = target(config, (JmsTo) config.to(), brokers, inFlightStatus);
        if (!(config.collapse() instanceof PlainCollapse collapse)) {
            return new JmsFlow(config, stages.to(single), single, new TransactionIds(), inFlightStatus);
        }
        QueueBatch batch = QueueBatch.over(single);
        return new JmsFlow(
                config, stages.to(collapse.bounded(batch.collapse())), batch, new TransactionIds(), inFlightStatus);
    }

    private static QueueTarget target(
            FlowConfig config, JmsTo to, Brokers brokers, @Nullable InFlightStatus inFlightStatus) {
        JmsEndpoint endpoint = to.endpoint();
        String name = endpoint.name().value();
        JmsTargetBuilder target = JmsTarget.at(brokers.of(endpoint)).key(MessageFields.ID);
        target = endpoint.isTopic() ? target.topic(name) : target.queue(name);
        Configured<String> group = to.group();
        return new QueueTarget(
                target.build(),
                config.from().base(),
                group == null ? null : group.value(),
                brokers.guard(endpoint),
                inFlightStatus);
    }

    @Override
    public Service<HttpCall, HttpAnswer> service() {
        return ids.before(
                InFlightStatus.around(flow, inFlightStatus), config.from().hasIds());
    }

    @Override
    public String where() {
        return ((JmsTo) config.to()).endpoint().where();
    }

    @Override
    public List<Setting> settings() {
        return Stream.of(flow.settings(), target.settings())
                .flatMap(List::stream)
                .toList();
    }
}
