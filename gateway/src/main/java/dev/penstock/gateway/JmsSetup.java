package dev.penstock.gateway;

import dev.penstock.collapse.Collapse;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.JmsCollapse;
import dev.penstock.gateway.config.JmsTo;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.JmsTargetBuilder;
import org.jspecify.annotations.Nullable;

/** Builds the queue target of a flow and its batches. Opens no connection. */
final class JmsSetup {
    private JmsSetup() {}

    static QueueTarget target(FlowConfig config, JmsTo to, Brokers brokers, @Nullable InFlightStatus inFlightStatus) {
        JmsTargetBuilder target = JmsTarget.at(brokers.of(to.queue()))
                .queue(to.queue().name().value())
                .key(QueueMessages.ID);
        FlowSetup.given(to.persistent(), target::persistent);
        Configured<String> group = to.group();
        return new QueueTarget(
                target.build(), config.from().base(), group == null ? null : group.value(), inFlightStatus);
    }

    static Collapse<HttpCall, HttpAnswer> collapse(JmsCollapse config, QueueBatch batch) {
        Collapse<HttpCall, HttpAnswer> collapse = batch.collapse();
        return CollapseSetup.bounded(
                config.max().inFile() ? collapse.max(config.max().value()) : collapse, config);
    }
}
