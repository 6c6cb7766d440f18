package dev.penstock.gateway;

import dev.penstock.Retry;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.BreakerConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.status.TransactionIds;
import org.jspecify.annotations.Nullable;

/** Builds the stages of a flow. Opens nothing. Unset values keep the defaults of the stages. */
final class FlowSetup {
    private FlowSetup() {}

    /** All stages of a flow, without its target. */
    static FlowBuilder<Object> stages(FlowConfig config) {
        FlowBuilder<Object> flow = Flow.named(config.name());
        if (config.deadline().inFile()) {
            flow.deadline(config.deadline().value());
        } else {
            flow.defaultDeadline(config.deadline().value(), "most callers have given up by then");
        }
        RetryConfig retry = config.retry();
        if (retry != null) {
            flow.retry(retry(config, retry));
        }
        switch (config.breaker()) {
            case BreakerConfig.Automatic automatic -> flow.breaker();
            case BreakerConfig.Given given -> flow.breaker(given.settings().value());
            case BreakerConfig.Off off -> {}
        }
        switch (config.limit()) {
            case LimitConfig.Automatic automatic -> flow.adaptiveConcurrency();
            case LimitConfig.Fixed fixed -> flow.concurrency(fixed.permits().value());
            case LimitConfig.Bounds bounds ->
                flow.adaptiveConcurrency(bounds.min().value(), bounds.max().value());
        }
        queue(flow, config.queue());
        return flow;
    }

    private static Retry<Object> retry(FlowConfig flow, RetryConfig config) {
        Retry<Object> retry = repeatable(flow, config.key());
        return (config.attempts().inFile() ? retry.attempts(config.attempts().value()) : retry)
                .backoff(config.backoff().value(), config.backoffMax().value());
    }

    private static void queue(FlowBuilder<Object> flow, QueueConfig queue) {
        Configured.given(queue.time(), flow::queue);
        Configured.given(queue.length(), flow::queueLength);
        Configured.given(queue.priority(), header -> flow.priority(new HeaderUrgency(header)));
    }

    private static Retry<Object> repeatable(FlowConfig flow, @Nullable Configured<String> key) {
        if (flow.idempotent().value()) {
            return Retry.ofIdempotent();
        }
        if (flow.isRepeatableById()) {
            return Retry.byKey(TransactionIds.HEADER);
        }
        return key == null ? Retry.whenNotSent() : Retry.byKey(key.value());
    }
}
