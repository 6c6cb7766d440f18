package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.To;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the target.
 *
 * @param queue the queue to send to
 * @param persistent whether messages survive a broker restart; default true
 * @param group the header sent as JMSXGroupID, which keeps messages of equal value in order; null for none
 */
public record JmsTo(
        JmsQueue queue,
        Configured<Boolean> persistent,
        @Nullable Configured<String> group) implements To {
    @Override
    public PoolConfig pool() {
        return PoolConfig.AUTOMATIC;
    }

    @Override
    public String kind() {
        return "jms";
    }

    @Override
    public String toString() {
        return queue.where();
    }
}
