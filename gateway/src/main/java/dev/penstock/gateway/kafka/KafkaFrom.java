package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.RedeliverConfig;
import dev.penstock.gateway.kafka.KafkaReader.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the source. Null means absent or {@code auto}.
 *
 * @param topic the topic with its brokers
 * @param group the consumer group or share group
 * @param by how records are received: key, or share
 * @param inFlight the maximum number of records in process; 1 to 10,000
 * @param key the idempotency key of a record: penstock_id, or another header
 * @param redeliver how often a failed record is retried
 * @param deadLetter the topic for records that could not be processed
 */
record KafkaFrom(
        TopicConfig topic,
        Configured<String> group,
        @Nullable Configured<String> by,
        @Nullable Configured<Integer> inFlight,
        @Nullable Configured<String> key,
        RedeliverConfig redeliver,
        @Nullable Configured<String> deadLetter)
        implements From {
    /** In no order, as a member of a share group. */
    static final String SHARE = "share";

    boolean isShared() {
        return by != null && by.value().equals(SHARE);
    }

    String deadLetterTopic() {
        return deadLetter == null ? topic.name().value() + ".DLQ" : deadLetter.value();
    }

    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public boolean isQueue() {
        return true;
    }

    @Override
    public boolean hasIds() {
        return true;
    }

    @Override
    public boolean consumes(To target) {
        return target instanceof KafkaTo to && to.toString().equals(toString());
    }

    @Override
    public String toString() {
        return topic.toString();
    }
}
