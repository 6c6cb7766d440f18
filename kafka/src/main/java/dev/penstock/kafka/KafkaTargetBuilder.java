package dev.penstock.kafka;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Builds a {@link KafkaTarget}. Not thread-safe. */
public final class KafkaTargetBuilder {
    /** The default maximum duration of a call. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);
    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);
    private static final Duration FOR_EVER = Duration.ofDays(3650);
    private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");

    private final KafkaCluster cluster;
    private @Nullable String topic;
    private Duration timeout = TIMEOUT;

    KafkaTargetBuilder(KafkaCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * The topic to send to.
     *
     * @throws IllegalArgumentException when Kafka allows no such name
     */
    public KafkaTargetBuilder topic(String name) {
        if (!TOPIC.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "a topic's name has 1 to 249 letters, digits, dots, _ and -, but is '" + name + "'");
        }
        topic = name;
        return this;
    }

    /**
     * The maximum duration of a call without a nearer deadline, and how long the producer tries to deliver a record after its
     * call has ended at a nearer one: until then, and a second more, a record whose ending is unknown may still get into the
     * topic. Default: 30 s.
     *
     * @param longest 1 s to 1 h
     * @throws IllegalArgumentException when out of range
     */
    public KafkaTargetBuilder timeout(Duration longest) {
        timeout = Ranges.within("the timeout", longest, Duration.ofSeconds(1), LONGEST_TIMEOUT);
        return this;
    }

    /**
     * Builds the target. Opens no connection.
     *
     * @throws IllegalStateException when there is no topic
     * @throws IllegalArgumentException when a setting of the cluster is one that the target sets itself, or has a value that
     *     Kafka's producer refuses
     */
    public KafkaTarget build() {
        String name = topic;
        if (name == null) {
            throw new IllegalStateException("no topic: call topic(...)");
        }
        Map<String, Object> properties = checked();
        SendFault faults = new SendFault(KafkaTarget.where(name, cluster));
        ProducerConnection connection =
                new ProducerConnection(() -> new TopicProducer(new KafkaProducer<>(properties), name), faults);
        return new KafkaTarget(connection, cluster, name, timeout.toNanos(), settings(name));
    }

    /** What the promises of the target depend on. */
    private Map<String, Object> own() {
        Duration request = timeout.compareTo(LONGEST_REQUEST) < 0 ? timeout : LONGEST_REQUEST;
        Map<String, Object> own = new HashMap<>();
        own.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.servers());
        own.put(ProducerConfig.ACKS_CONFIG, "all");
        own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        // No call waits inside of the producer: see TopicProducer.
        own.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "0");
        // Each caller waits for its record. Those that come meanwhile are sent together anyway.
        own.put(ProducerConfig.LINGER_MS_CONFIG, "0");
        // A call ends first, so that it can withdraw its record.
        own.put(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                String.valueOf(timeout.plusSeconds(1).toMillis()));
        own.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, String.valueOf(request.toMillis()));
        // The topic is not forgotten while it is idle.
        own.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, String.valueOf(FOR_EVER.toMillis()));
        own.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        own.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return own;
    }

    private Map<String, Object> checked() {
        Map<String, Object> properties = own();
        cluster.settings().forEach((name, value) -> {
            if (properties.containsKey(name) || name.equals(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
                throw new IllegalArgumentException("the target sets " + name + " itself; remove it");
            }
        });
        properties.putAll(cluster.settings());
        try {
            ProducerConfig _ = new ProducerConfig(properties);
        } catch (ConfigException refused) {
            throw new IllegalArgumentException(
                    "Kafka's producer refuses a setting: "
                            + KafkaCluster.withoutValue(String.valueOf(refused.getMessage())),
                    refused);
        }
        return properties;
    }

    private List<Setting> settings(String name) {
        Instant now = Instant.now();
        Origin origin = timeout.equals(TIMEOUT) ? Origin.DEFAULT : Origin.PINNED;
        String reason =
                "maximum duration of a call and of a record's delivery; a deadline of the flow is usually nearer";
        return List.of(
                new Setting("topic", name, "a topic", "records are sent to this topic", now, Origin.PINNED),
                new Setting("timeout", Durations.format(timeout), "1 s..1 h", reason, now, origin));
    }
}
