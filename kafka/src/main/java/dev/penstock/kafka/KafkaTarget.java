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
import dev.penstock.text.ServerAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        this.faults = new SendFault(where);
        this.maxNanos = maxNanos;
        this.settings = settings;
        this.server = ServerAddress.in("kafka://" + cluster.servers());
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
     * @throws Rejected nothing was sent: {@code DEADLINE}, the deadline was exceeded; {@code POOL}, the buffer is full, or no
     *     broker named the partitions of the topic in time
     * @throws Failed {@code CONNECT}, no broker took it; {@code REFUSED}, the cluster refused it; {@code ROLLED_BACK}, it
     *     refused another record that was sent together with it
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
        return new RecordDelivery(connection.open(nanos), faults).send(record, until);
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
        Map<String, String> ofTrace = new LinkedHashMap<>();
        observation.propagate(ofTrace::put);
        KafkaRecord traced = record;
        for (Map.Entry<String, String> header : ofTrace.entrySet()) {
            traced = traced.withHeader(header.getKey(), header.getValue());
        }
        return traced;
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
