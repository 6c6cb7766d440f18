package dev.penstock.kafka;

import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kafka.transaction.TransactionalProducer;
import dev.penstock.kafka.transaction.TransactionalProducer.Participant;
import dev.penstock.text.ServerAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Sends records to a topic of Kafka. Answers when all in-sync replicas have the record ({@code acks=all}), with partition and
 * offset. Its producer is idempotent: what it repeats by itself is in the topic once. Blocking; thread-safe.
 *
 * <pre>{@code
 * var target = KafkaTarget.at(KafkaCluster.at("broker.example:9092")).topic("payments").build();
 * Flow<KafkaRecord, KafkaReceipt> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .adaptiveConcurrency()
 *         .to(target);
 * payments.call(KafkaRecord.text("{\"amount\": 7}").withKey("customer-1"));
 * }</pre>
 *
 * <h2>Time limit</h2>
 *
 * <p>A call takes no longer than the time left of its thread's {@link Deadline}, whatever the brokers do.
 * Kafka's producer goes on with a record that was sent: after its call has ended as unknown, it may get into the topic until
 * the {@linkplain KafkaTargetBuilder#timeout timeout}.
 *
 * <h2>Endings</h2>
 *
 * <ul>
 *   <li>No broker that accepts a connection, or a login that is rejected, gives {@link Failed} with cause {@code CONNECT}.
 *       After a failed attempt, the next follows a backoff that all callers share and that doubles up to 5 s; until then calls
 *       fail at once. A broker that does not name the partitions of the topic in time gives {@link Rejected} with cause
 *       {@code POOL}, and so does a full buffer ({@code buffer.memory}, 32 MB): no call waits for space in it.
 *   <li>A record that waits in the buffer until its deadline, because no broker takes records any more, is withdrawn:
 *       {@link Failed} with cause {@code CONNECT}.
 *   <li>A record that may have been sent, and was not acknowledged, gives {@link Unknown}: {@code TIMEOUT} at the deadline,
 *       {@code CLOSED} after a lost connection, {@code ERROR} for another error, such as fencing.
 *   <li>A record that the cluster refuses (not authorized, too large, no such topic) gives {@link Failed} with cause
 *       {@code REFUSED}.
 * </ul>
 *
 * <h2>Transactions</h2>
 *
 * <p>While a {@linkplain dev.penstock.kafka.source.KafkaSourceBuilder#transactional() transactional} source processes a record,
 * what is sent is in its transaction. {@link Failed} with cause {@code ROLLED_BACK} replaces {@link Unknown} then, and a target at
 * other servers refuses.
 *
 * <h2>Duplicates</h2>
 *
 * <p>No broker recognizes a record that is sent by a second call. A flow that retries unknown endings needs consumers that
 * know a record by a header or its key.
 */
public final class KafkaTarget implements Target<KafkaRecord, KafkaReceipt> {
    private final ProducerConnection connection;
    private final SendFault faults;
    private final String topic;
    private final String where;
    private final String servers;
    private final long maxNanos;
    private final List<Setting> settings;
    private final @Nullable ServerAddress server;

    /**
     * Not connected yet.
     *
     * @param maxNanos the maximum duration of a call without a nearer deadline, in nanoseconds
     */
    KafkaTarget(
            ProducerConnection connection, KafkaCluster cluster, String topic, long maxNanos, List<Setting> settings) {
        this.connection = connection;
        this.topic = topic;
        this.where = where(topic, cluster);
        this.servers = cluster.servers();
        this.faults = new SendFault(where);
        this.maxNanos = maxNanos;
        this.settings = settings;
        this.server = ServerAddress.in("kafka://" + servers);
    }

    static String where(String topic, KafkaCluster cluster) {
        return "topic " + topic + " at " + cluster;
    }

    /** A builder of a target. */
    public static KafkaTargetBuilder at(KafkaCluster cluster) {
        return new KafkaTargetBuilder(cluster);
    }

    /**
     * Sends a record, and waits until the cluster has it.
     *
     * @throws Rejected nothing was sent
     * @throws Failed no broker took it, the cluster refused it, or it refused another record that was sent together with it
     * @throws Unknown it may have been sent, and was not acknowledged
     */
    @Override
    public KafkaReceipt call(KafkaRecord record) throws Unanswered {
        Observation observation = CallContext.currentObservation();
        if (observation == null) {
            return send(record);
        }
        describe(observation);
        long start = Ticker.SYSTEM.nanos();
        try {
            KafkaReceipt receipt = send(traced(record, observation));
            observation.attribute("messaging.destination.partition.id", String.valueOf(receipt.partition()));
            observation.attribute("messaging.kafka.offset", receipt.offset());
            return receipt;
        } finally {
            long took = Ticker.SYSTEM.nanos() - start;
            byte[] value = record.value();
            observation.exchanged(new Observation.Exchange(
                    where, to -> to.accept("send", took), value == null ? 0 : value.length, 0));
        }
    }

    private KafkaReceipt send(KafkaRecord record) throws Unanswered {
        long nanos = nanosLeft();
        if (nanos <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "deadline exceeded before the record was sent");
        }
        long until = Ticker.SYSTEM.nanos() + nanos;
        Participant transaction = TransactionalProducer.current();
        return transaction == null
                ? new RecordDelivery(connection.open(nanos), faults).send(record, until)
                : send(record, transaction, nanos);
    }

    private KafkaReceipt send(KafkaRecord record, Participant transaction, long nanos) throws Unanswered {
        if (!transaction.servers().equals(servers)) {
            String why = where + " is not in the transaction, which is at " + transaction.servers();
            throw Failed.refused(Failed.Refusal.OTHER, why, null);
        }
        try {
            RecordMetadata sent = transaction.send(TopicProducer.record(topic, record), nanos);
            return new KafkaReceipt(sent.topic(), sent.partition(), sent.offset());
        } catch (Exception notAcknowledged) {
            throw faults.rolledBack(notAcknowledged);
        }
    }

    private long nanosLeft() {
        Deadline deadline = Deadline.current();
        return deadline == null ? maxNanos : Math.min(maxNanos, deadline.nanosLeft());
    }

    /** Describes an attempt by OpenTelemetry's conventions for messaging. */
    private void describe(Observation observation) {
        observation.attribute("messaging.system", "kafka");
        observation.attribute("messaging.destination.name", topic);
        observation.attribute("messaging.operation.name", "send");
        observation.attribute("messaging.operation.type", "send");
        if (server != null) {
            server.describe(observation::attribute);
        }
    }

    private static KafkaRecord traced(KafkaRecord record, Observation observation) {
        AtomicReference<KafkaRecord> traced = new AtomicReference<>(record);
        observation.propagate((name, value) -> traced.set(traced.get().withHeader(name, value)));
        return traced.get();
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public List<Setting> settings() {
        return settings;
    }

    /** {@code opened} producers so far, each with a connection to each broker that it needs; {@code open} is 0 or 1. */
    @Override
    public Map<String, Long> connections() {
        return Map.of("opened", connection.opened(), "open", connection.isOpen() ? 1L : 0L);
    }

    @Override
    public void close() {
        connection.close();
    }

    @Override
    public String toString() {
        return where;
    }
}
