package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.RedeliverConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A queue or a topic as the source. Null means absent or {@code auto}.
 *
 * @param endpoint the queue or topic to consume
 * @param subscription the durable subscription of the topic
 * @param shared whether other processes share the subscription; default false
 * @param selector which messages are received; null for all
 * @param inFlight the maximum number of unacknowledged messages; 1 to 10,000
 * @param key the idempotency key of a message: JMSMessageID, a property, or the header a property maps to
 * @param redeliver how often a failed message is retried
 * @param deadLetter the queue for messages that could not be processed
 * @param order the property whose equal values keep messages in order
 * @param replyTo allowed reply destinations, {@code *} for any characters; null for any
 * @param maxBody the largest message body, in bytes; default 1 MB
 */
record JmsFrom(
        JmsEndpoint endpoint,
        @Nullable Configured<String> subscription,
        Configured<Boolean> shared,
        @Nullable Configured<String> selector,
        @Nullable Configured<Integer> inFlight,
        @Nullable Configured<String> key,
        RedeliverConfig redeliver,
        @Nullable Configured<String> deadLetter,
        @Nullable Configured<String> order,
        @Nullable Configured<List<String>> replyTo,
        Configured<Long> maxBody)
        implements From {
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
    public boolean consumes(To target) {
        return target instanceof JmsTo jms && jms.endpoint().isSame(endpoint);
    }
}
