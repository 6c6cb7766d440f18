package dev.penstock.gateway.kafka;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.RedeliverConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.kafka.KafkaCluster;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the source. Null means absent or {@code auto}.
 *
 * @param cluster the brokers
 * @param topic its name
 * @param group the consumer group or share group
 * @param by how records are received
 * @param inFlight the maximum number of records in process; 1 to 10,000
 * @param key the idempotency key of a record: penstock_id, or another header
 * @param redeliver how often a failed record is retried
 * @param deadLetter the topic for records that could not be processed
 * @param properties of Kafka's client, by name
 */
record KafkaFrom(
        Configured<KafkaCluster> cluster,
        Configured<String> topic,
        Configured<String> group,
        @Nullable Configured<By> by,
        @Nullable Configured<Integer> inFlight,
        @Nullable Configured<String> key,
        RedeliverConfig redeliver,
        @Nullable Configured<String> deadLetter,
        Map<String, Secret> properties)
        implements From {
    /** How records are received. */
    enum By {
        /** In the order of their keys, as a member of a consumer group. */
        KEY,
        /** In no order, as a member of a share group. */
        SHARE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String kind() {
        return "kafka";
    }

    @Override
    public boolean hasIds() {
        return true;
    }

    @Override
    public boolean consumes(To target) {
        return target instanceof KafkaTo to
                && to.topic().value().equals(topic.value())
                && to.cluster().value().servers().equals(cluster.value().servers());
    }

    /** A short description without secrets. */
    String where() {
        return "topic " + topic.value() + " at " + cluster.value();
    }

    @Override
    public String toString() {
        return where();
    }
}
