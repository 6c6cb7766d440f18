package dev.penstock.races.kafkaflow;

import dev.penstock.kafka.kit.KafkaBroker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The records of the race: 1 KB each, numbered from 0, with 1,000 keys in turn. */
final class Topic {
    static final String NAME = "payments";
    static final String GROUP = "race";
    static final String SHARE_GROUP = "race-shared";

    /** After this time a dead consumer is replaced: the shortest that a broker accepts by default. */
    static final String SESSION_MILLIS = "6000";

    /**
     * Members of a share group receive records one heartbeat after they have joined: before the measurement. Dead ones are
     * replaced as soon as other consumers. Locks may be short.
     */
    private static final Map<String, String> SETTINGS = Map.of(
            "group.share.heartbeat.interval.ms",
            "1000",
            "group.share.min.heartbeat.interval.ms",
            "1000",
            "group.share.session.timeout.ms",
            SESSION_MILLIS,
            "group.share.min.session.timeout.ms",
            SESSION_MILLIS,
            "group.share.min.record.lock.duration.ms",
            "1000");

    /** The number of keys. */
    static final int KEYS = 1_000;

    /** The size of a record's value, in bytes. */
    private static final int SIZE = 1024;

    private static final List<TopicPartition> PARTITIONS = IntStream.range(0, 3)
            .mapToObj(partition -> new TopicPartition(NAME, partition))
            .toList();
    private static final Duration POLL = Duration.ofMillis(200);

    private Topic() {}

    /** Starts a broker with the empty topic; share groups begin with its oldest record, as the other groups do. */
    static KafkaBroker broker() throws Exception {
        KafkaBroker broker = KafkaBroker.start(SETTINGS);
        try {
            broker.createTopic(NAME, PARTITIONS.size(), Map.of());
            broker.configureGroup(SHARE_GROUP, Map.of("share.auto.offset.reset", "earliest"));
        } catch (Exception e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    /** Sends records as fast as one producer can, and returns when the broker has them all. */
    static void fill(String url, int records) {
        try (Producer<byte[], byte[]> producer = producer(url)) {
            for (int number = 0; number < records; number++) {
                var _ = producer.send(record(number));
            }
        }
    }

    static Producer<byte[], byte[]> producer(String url) {
        Map<String, Object> settings = settings(url);
        settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        return new KafkaProducer<>(settings);
    }

    /** A record; its value holds its number, and the time of its creation, which all processes of this machine can read. */
    static ProducerRecord<byte[], byte[]> record(int number) {
        byte[] value = new byte[SIZE];
        ByteBuffer.wrap(value).putInt(number).putLong(System.nanoTime());
        byte[] key = new byte[Integer.BYTES];
        ByteBuffer.wrap(key).putInt(number % KEYS);
        return new ProducerRecord<>(NAME, key, value);
    }

    /** Reads the number of a record. */
    static int number(byte[] value) {
        return ByteBuffer.wrap(value).getInt();
    }

    /** Reads the time of its creation. */
    static long created(byte[] value) {
        return ByteBuffer.wrap(value).getLong(Integer.BYTES);
    }

    private static Map<String, Object> settings(String url) {
        return new HashMap<>(Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, url));
    }

    /** The settings of all consumers in the group: nothing but what they must have. */
    static Map<String, Object> consumer(String url) {
        Map<String, Object> settings = settings(url);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, GROUP);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
        settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return settings;
    }

    /** The records above the committed offsets that were not handled: another consumer would receive them. */
    static BitSet left(String url, String group, IntPredicate isHandled) throws Exception {
        BitSet left = new BitSet();
        read(url, committed(url, group), value -> left.set(number(value), !isHandled.test(number(value))));
        return left;
    }

    /** The values of all records. */
    static List<byte[]> all(String url) {
        List<byte[]> all = new ArrayList<>();
        read(url, PARTITIONS.stream().collect(Collectors.toMap(Function.identity(), _ -> 0L)), all::add);
        return all;
    }

    private static void read(String url, Map<TopicPartition, Long> from, Consumer<byte[]> values) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumer(url))) {
            consumer.assign(from.keySet());
            from.forEach(consumer::seek);
            Map<TopicPartition, Long> ends = consumer.endOffsets(from.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(record -> values.accept(record.value()));
            }
        }
    }

    private static Map<TopicPartition, Long> committed(String url, String group) throws Exception {
        Map<TopicPartition, Long> committed = new HashMap<>();
        PARTITIONS.forEach(partition -> committed.put(partition, 0L));
        try (Admin admin = Admin.create(settings(url))) {
            if (group.equals(SHARE_GROUP)) {
                admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec().topicPartitions(PARTITIONS)))
                        .partitionsToOffsetInfo(group)
                        .get()
                        .forEach((partition, offset) -> {
                            if (offset != null) { // null: nothing was acknowledged yet
                                committed.put(partition, offset.startOffset());
                            }
                        });
            } else {
                admin.listConsumerGroupOffsets(group)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach((partition, offset) -> committed.put(partition, offset.offset()));
            }
        }
        return committed;
    }
}
