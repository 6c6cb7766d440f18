package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.GatewayConfig;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic as the target.
 *
 * @param endpoint the queue or topic to send to
 * @param persistent whether messages survive a broker restart; default true
 * @param group the header sent as JMSXGroupID, which keeps messages of equal value in order; null for none
 */
record JmsTo(
        JmsEndpoint endpoint,
        Configured<Boolean> persistent,
        @Nullable Configured<String> group) implements To {
    @Override
    public String kind() {
        return "jms";
    }

    /** Each subscription of a topic has a copy of a message with an outcome of its own, so there is no status. */
    @Override
    public boolean isQueue() {
        return !endpoint.isTopic();
    }

    @Override
    public boolean dropsDuplicateIds() {
        return endpoint.dropsDuplicateIds();
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
        return endpoint.where();
    }
}
