package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.GatewayConfig;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the target.
 *
 * @param queue the queue to send to
 * @param persistent whether messages survive a broker restart; default true
 * @param group the header sent as JMSXGroupID, which keeps messages of equal value in order; null for none
 */
record JmsTo(
        JmsQueue queue,
        Configured<Boolean> persistent,
        @Nullable Configured<String> group) implements To {
    @Override
    public String kind() {
        return "jms";
    }

    @Override
    public boolean isQueue() {
        return true;
    }

    @Override
    public boolean dropsDuplicateIds() {
        return queue.dropsDuplicateIds();
    }

    @Override
    public void check(FlowConfig flow, ConfigProblems problems) {
        new JmsCrossFieldChecks(problems).target(flow);
    }

    @Override
    public void warn(FlowConfig flow, GatewayConfig config, ConfigProblems warnings) {
        JmsWarnings.target(flow, this, config, warnings);
    }

    @Override
    public String toString() {
        return queue.where();
    }
}
