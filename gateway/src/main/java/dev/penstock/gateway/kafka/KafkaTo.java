package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.kafka.KafkaReader.TopicConfig;
import dev.penstock.kafka.KafkaTarget;
import dev.penstock.kafka.KafkaTargetBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the target.
 *
 * @param topic the topic with its brokers
 * @param key the header with the key of a record, or its JSON pointer in the body; null for none
 */
record KafkaTo(TopicConfig topic, @Nullable String key) implements To {
    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public boolean isQueue() {
        return true;
    }

    /** Its consumers may be no gateways, or have another store. */
    @Override
    public boolean storesStatus() {
        return false;
    }

    @Override
    public boolean hasIds() {
        return true;
    }

    /**
     * A builder for the topic. Opens nothing.
     *
     * @throws IllegalArgumentException when Kafka allows no such topic
     */
    KafkaTargetBuilder builder() {
        return KafkaTarget.at(topic.cluster()).topic(topic.name().value());
    }

    @Override
    public String toString() {
        return topic.toString();
    }
}
