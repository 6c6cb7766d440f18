package dev.penstock.gateway;

import dev.penstock.Retry;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.TargetStages;
import dev.penstock.http.HttpCall;
import org.jspecify.annotations.Nullable;

/** Builds the stages of a flow. Opens nothing. Unset values keep the defaults of the stages. */
final class FlowSetup {
    private FlowSetup() {}

    /** All stages of a flow, without its target; without {@link TargetStages} if that has several servers. */
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
        if (config.to().endpoints() == 1) {
            TargetStages.add(config, flow);
        }
        return flow;
    }

    private static Retry<? super HttpCall> retry(FlowConfig flow, RetryConfig config) {
        Retry<? super HttpCall> retry = repeatable(flow, config.key());
        retry = config.attempts().inFile() ? retry.attempts(config.attempts().value()) : retry;
        return retry.answers(config.answers().toArray(Integer[]::new));
    }

    private static Retry<? super HttpCall> repeatable(FlowConfig flow, @Nullable Configured<String> key) {
        if (flow.idempotent().value()) {
            return Retry.ofIdempotent();
        }
        if (flow.isRepeatableById()) {
            return Retry.byKey(TransactionIds.HEADER);
        }
        return key == null ? Retry.whenNotSent() : Retry.byKey(key.value());
    }
}
