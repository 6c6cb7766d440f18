package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic as the target.
 *
 * @param endpoint the queue or topic to send to
 * @param group the header sent as JMSXGroupID, which keeps messages of equal value in order; null for none
 */
record JmsTo(JmsEndpoint endpoint, @Nullable Configured<String> group) implements To {
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
    public boolean hasIds() {
        return true;
    }

    @Override
    public boolean dropsDuplicateIds() {
        return endpoint.dropsDuplicateIds();
    }

    @Override
    public String toString() {
        return endpoint.where();
    }
}
