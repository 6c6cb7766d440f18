package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Secret;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaTarget;
import dev.penstock.kafka.KafkaTargetBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the target. Its consumers decide about the outcome of a transaction, so there is no status.
 *
 * @param cluster the brokers
 * @param topic its name
 * @param key the header with the key of a record; null for none
 * @param properties of Kafka's client, by name
 */
record KafkaTo(
        Configured<KafkaCluster> cluster,
        Configured<String> topic,
        @Nullable Configured<String> key,
        Map<String, Secret> properties)
        implements To {
    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public boolean canBeQueried() {
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
        return KafkaTarget.at(KafkaReader.withProperties(cluster, properties)).topic(topic.value());
    }

    @Override
    public String toString() {
        return "topic " + topic.value() + " at " + cluster.value();
    }
}
