package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * A queue to send to.
 *
 * @param queue where messages go
 * @param persistent whether they outlive the broker; true unless given
 * @param group the header whose value keeps messages in order, as JMSXGroupID; null for none
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
