package dev.penstock.gateway.transport;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;

/** The stages in front of one server: breaker, limit and queue. Unset values keep the defaults of the stages. */
public final class TargetStages {
    private TargetStages() {}

    /** Adds the stages of a flow. */
    public static void add(FlowConfig config, FlowBuilder<Object> flow) {
        config.breaker().ifPresent(flow::breaker);
        switch (config.limit()) {
            case LimitConfig.Automatic automatic -> flow.adaptiveConcurrency(1, config.mostAtOnce());
            case LimitConfig.Fixed fixed -> flow.concurrency(fixed.permits().value());
            case LimitConfig.Fleet fleet -> {} // a limit that the gateway shares with others
            case LimitConfig.Bounds bounds ->
                flow.adaptiveConcurrency(bounds.min().value(), bounds.max().value());
        }
        FlowConfig.RateConfig rate = config.rate();
        if (rate != null && !rate.fleet()) {
            flow.rate(rate.perSecond().value());
        }
        QueueConfig queue = config.queue();
        Configured.given(queue.time(), flow::queue);
        Configured.given(queue.length(), flow::queueLength);
        String priority = config.priorityHeader();
        if (priority != null) {
            flow.priority(new HeaderUrgency(priority));
        }
        flow.fairBetween(request -> CurrentCaller.key());
    }
}
