package dev.penstock.kafka.source;

import dev.penstock.LiveSetting;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Source;
import dev.penstock.Unanswered;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.source.SourceHealth;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes the records of a topic to a flow, as a member of a consumer group. Records with the same key are processed one after
 * the other, in their order; records with different keys, and those without a key, concurrently: not only as many as there are
 * partitions, but as many as the flow can process.
 *
 * <pre>{@code
 * try (var source = KafkaSource.at(KafkaCluster.at("broker.example:9092"))
 *         .topic("payments", "gateway")
 *         .key(KafkaSource.ID)     // the target knows by it what it has done already
 *         .to(flow)) {
 *     source.start();
 *     ...
 * }
 * }</pre>
 *
 * <h2>Outcomes</h2>
 *
 * <ul>
 *   <li>Answered: completed.
 *   <li>Rejected: the record was not sent, so it stays in flight and is tried again.
 *   <li>Failed: tried again after a backoff that doubles, up to a number of attempts; then, or immediately if it was refused
 *       permanently, it becomes a dead letter. Records with the same key wait meanwhile, others do not.
 *   <li>Unknown: the same if it has a {@linkplain KafkaSourceBuilder#key key for repeats}; otherwise it becomes a dead letter
 *       immediately.
 * </ul>
 *
 * <p>A dead letter is the record with headers {@code penstock_ending}, {@code _cause}, {@code _reason}, {@code _attempts}, {@code
 * _topic}, {@code _partition} and {@code _offset}. It is in the dead-letter topic before the record is completed, so a crash may
 * duplicate it, but never loses it. A record that cannot be read becomes a dead letter too.
 *
 * <h2>Commits, and what is repeated</h2>
 *
 * <p>The offset below which all records are completed is committed about every 100 ms, with the completed records above it and
 * the attempts of the others in its metadata, as far as they fit into 4,096 characters. When a partition is revoked, records that
 * wait are given back, and those in process may continue for up to 2 s. A crash repeats the records in process, and those completed
 * since the last commit: only a key, and a target or dedupe stage that knows it, prevents a second effect. Without a key, those
 * recorded as in process become dead letters. A record that ends the process each time becomes a dead letter after as many crashes
 * as there are attempts, and one more. In {@linkplain KafkaSourceBuilder#transactional() transactions} nothing is repeated.
 *
 * <h2>Shared</h2>
 *
 * <p>After {@link KafkaSourceBuilder#shared()} the source has members of a share group instead: no order, and each record is
 * locked, renewed while it is here, and acknowledged for itself, within 100 ms after it is completed. What is received is processed,
 * also after {@link #stopAccepting()}, or released when the flow drains. Earlier deliveries count as attempts: without a key such a
 * record is a dead letter, and with one when a fifth delivery has begun, since the broker drops it after that.
 *
 * <h2>Outages</h2>
 *
 * <p>The source reconnects for ever. Thread-safe.
 */
public final class KafkaSource implements Source {
    /** The beginning of the reason for each record during which a process died. */
    public static final String PROCESS_DIED = "the process died while processing it";

    /**
     * The header with the topic, partition and offset of a record, {@value}. The source adds it, unless the record has it
     * already: a record that was sent on, or that was a dead letter, keeps its first one.
     */
    public static final String ID = "penstock_id";

    /** Is notified of each ending, before the record is completed. Thread-safe. */
    @FunctionalInterface
    public interface Ended {
        /**
         * A record has ended: for good, unless it is repeated after a crash, or because its transaction is rolled back.
         *
         * @param answer what the handler returned; null without an answer
         * @param why how it ended without an answer; null when it was answered
         * @throws Exception when the ending could not be recorded; called again a second later, and the record is not completed
         *     before
         */
        void ended(KafkaRecord record, @Nullable Object answer, @Nullable Unanswered why) throws Exception;
    }

    /**
     * Where a record is.
     *
     * @param topic its topic
     * @param partition its partition
     * @param offset its offset in the partition
     * @param timestamp in milliseconds since 1970, as the topic is configured: of the producer, or of the broker; -1 for none
     */
    public record Position(String topic, int partition, long offset, long timestamp) {}

    /** A builder without a topic. */
    public static final class WithoutTopic {
        private final KafkaClients clients;

        private WithoutTopic(KafkaClients clients) {
            this.clients = clients;
        }

        /**
         * Sets the topic, and the consumer group. The members of a group share the partitions of the topic. A new group begins
         * with the oldest record.
         *
         * @throws IllegalArgumentException when a name is blank
         */
        public KafkaSourceBuilder topic(String name, String group) {
            return new KafkaSourceBuilder(clients, name, group);
        }
    }

    /** Receives records from start to close. Thread-safe. */
    interface Receiver {
        /** Starts. Throws when the broker refuses it for good. */
        void start() throws IOException;

        /** Ends: what has ended is committed, all else is left to other consumers. */
        void close();
    }

    private final KafkaSourceBuilder built;
    private final ReceivedRecords records;
    private final DeadLetterTopic deadLetters;
    private final GroupLag lag;
    private final SourceHealth health;
    private final Receiver receiver;
    private final LiveSetting inFlight;
    private final Instant since = Instant.now();

    <Q> KafkaSource(
            KafkaSourceBuilder built,
            BiFunction<? super KafkaRecord, Position, ? extends Q> reader,
            Service<? super Q, ?> handler,
            IntSupplier capacity) {
        this.built = built;
        this.records = built.isShared ? new SharedRecords(built, capacity) : new RecordQueue(built, capacity);
        this.inFlight = new LiveSetting("kafka.in_flight", records.prefetchWindow::setting, InstantSource.system());
        this.deadLetters = new DeadLetterTopic(built.deadLetterTopic(), () -> built.clients.producer(null));
        this.lag = new GroupLag(built);
        this.health = new SourceHealth(built.where(), records.stop);
        Part part = Supervisor.current().part("kafka-consumer", built.where());
        RecordHandling<Q> handling = new RecordHandling<>(records, reader, handler, deadLetters, part);
        this.receiver = switch (records) {
            case SharedRecords shared -> new ShareMembers(shared, handling, health);
            case RecordQueue queue -> new PollLoop(queue, () -> new GroupMember(queue, handling, health), health, part);
        };
    }

    /**
     * A builder of a source.
     *
     * @param cluster its settings apply to the consumer, and to the producer of dead letters
     */
    public static WithoutTopic at(KafkaCluster cluster) {
        return new WithoutTopic(new KafkaClients.Real(cluster));
    }

    @Override
    public String where() {
        return "kafka " + built.where();
    }

    /**
     * Joins the group and starts receiving. An unreachable broker is retried for ever; permanent errors are reported immediately.
     *
     * @throws IOException when the address is invalid, or the broker rejects the login or the topic
     */
    @Override
    public void start() throws IOException {
        receiver.start();
    }

    /** Stops receiving. Records being processed continue; those waiting for another attempt are given back. */
    @Override
    public void stopAccepting() {
        records.stop.ask();
    }

    /**
     * Leaves the group, so that other members receive all records that have not ended. Those being processed may end first, for
     * up to 2 s. Idempotent.
     */
    @Override
    public void close() {
        records.stop.ask();
        receiver.close();
        deadLetters.close();
        lag.close();
    }

    /** Why no records are received; null while they are, and for a member without partitions beside others that have them. */
    @Override
    public @Nullable String outage() {
        String why = health.outage();
        return why == null ? null : "no records from " + built.where() + ": " + why;
    }

    /** The number of records being processed, including those that wait for another attempt. */
    public int inFlight() {
        return records.prefetchWindow.inFlight();
    }

    /** The number of records received and not ended: in flight, or waiting in the buffer. */
    public int buffered() {
        return records.size();
    }

    /**
     * The number of records in the topic that the group has not completed, in all partitions, received by this source or not.
     * Asks the brokers, which takes a few round trips; empty if they do not answer within 5 s, or a share group has just begun.
     */
    public OptionalLong lag() {
        return lag.ask();
    }

    /** The current settings. */
    public List<Setting> settings() {
        String by = built.isShared
                ? "each record is locked, acknowledged and redelivered for itself, in no order, in the share group "
                        + built.group
                : "records with the same key are processed in order, in the consumer group " + built.group
                        + "; share if the order does not matter";
        String known = built.key == null
                ? "a record with an unknown outcome becomes a dead letter, since it may have taken effect"
                : "a record with an unknown outcome is tried again: the target or dedupe recognizes it by this key";
        String attempts =
                "attempts for a failed record, " + built.redelivery.waits() + " apart; then it becomes a dead letter";
        return List.of(
                inFlight.setting(),
                fixed("kafka.by", built.isShared ? "share" : "key", "key, share", by),
                fixed("kafka.key", built.key == null ? "none" : built.key, "a header, for instance " + ID, known),
                fixed("kafka.redeliver", Integer.toString(built.redelivery.attempts()), "1..1000", attempts),
                fixed(
                        "kafka.dead_letter",
                        built.deadLetterTopic(),
                        "a topic",
                        "receives records that could not be processed, with the reason"));
    }

    private Setting fixed(String name, String value, String range, String reason) {
        return new Setting(name, value, range, reason, since, Origin.DEFAULT);
    }

    /**
     * The counters: {@code received}, {@code completed} (including dead letters), {@code tried_again}, {@code dead_letters},
     * {@code given_back}, {@code recognised} (not processed again: completed before, or still in process here), {@code
     * rolled_back} (processed again, since their transaction was rolled back).
     */
    public Map<String, Long> counts() {
        return records.counts.all();
    }

    @Override
    public String toString() {
        return where();
    }
}
