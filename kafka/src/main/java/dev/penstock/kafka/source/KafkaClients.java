package dev.penstock.kafka.source;

import dev.penstock.kafka.KafkaCluster;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Opens the clients of a source. Thread-safe. */
interface KafkaClients {
    /** The age at which the brokers roll back a transaction, unless the cluster has another setting: 10 s. */
    long TRANSACTION_NANOS = 10_000_000_000L;

    /** The address, for display. */
    String where();

    /** A new member of a group. */
    Consumer<byte[], byte[]> consumer(String group);

    /** A new member of a share group, which receives up to {@code batch} records at a time. */
    ShareConsumer<byte[], byte[]> shareConsumer(String group, int batch);

    /** A new producer, which ends the open transaction of an earlier one with this id; null for no transactions. */
    Producer<byte[], byte[]> producer(@Nullable String transactionalId);

    /** A new client for questions. */
    Admin admin();

    /**
     * Clients of a real broker.
     *
     * @param cluster its settings come before those given here, except where the source depends on them
     */
    record Real(KafkaCluster cluster) implements KafkaClients {
        /** Of fetched records that the client keeps for each broker; beside the buffer of the source. */
        private static final int FETCH_BYTES = 8 << 20;

        private static final int SESSION_MILLIS = 10_000;
        private static final int HEARTBEAT_MILLIS = 1_000;

        @Override
        public String where() {
            return cluster.servers();
        }

        /** A dead member is replaced after 10 s; members learn of others within 1 s. */
        @Override
        public Consumer<byte[], byte[]> consumer(String group) {
            Map<String, Object> all = new HashMap<>();
            all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
            all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
            all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_MILLIS);
            all.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
            all.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
            all.putAll(cluster.settings());
            all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.servers());
            all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
            all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
            all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
            all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
            return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        /** It stays in the group without a poll: while the flow has no capacity, it only renews what it has. */
        @Override
        public ShareConsumer<byte[], byte[]> shareConsumer(String group, int batch) {
            Map<String, Object> all = new HashMap<>(cluster.settings());
            all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.servers());
            all.put(ConsumerConfig.GROUP_ID_CONFIG, group);
            all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, batch);
            all.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Integer.MAX_VALUE);
            all.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
            all.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
            return new KafkaShareConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        }

        /** What is sent is acknowledged, or fails, before the brokers roll back its transaction. */
        @Override
        public Producer<byte[], byte[]> producer(@Nullable String transactionalId) {
            int millis = (int) (TRANSACTION_NANOS / 1_000_000);
            Map<String, Object> all = new HashMap<>();
            all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
            all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis / 2);
            all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis / 2);
            all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis / 5 * 4);
            all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, millis);
            all.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.MAX_VALUE); // the broker decides
            all.putAll(cluster.settings());
            if (transactionalId != null) {
                all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
            }
            all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.servers());
            all.put(ProducerConfig.ACKS_CONFIG, "all");
            all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
            return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Admin admin() {
            return Admin.create(cluster.adminSettings());
        }
    }
}
