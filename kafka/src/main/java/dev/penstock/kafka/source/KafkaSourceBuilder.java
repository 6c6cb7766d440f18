package dev.penstock.kafka.source;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.transaction.TransactionalProducer;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.Redelivery;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link KafkaSource}; everything but the topic and the group has a default. Not thread-safe. */
public final class KafkaSourceBuilder {
    /** The upper bound for {@link #inFlight(int)}. */
    public static final int MOST_IN_FLIGHT = PrefetchWindow.MAX_AUTOMATIC;

    /** The number of deliveries after which a broker drops a record, by default. */
    private static final int LAST_DELIVERY = 5;

    final KafkaClients clients;
    final String topic;
    final String group;
    boolean isShared;
    boolean isTransactional;
    int inFlight;

    @Nullable
    String key;

    KafkaSource.@Nullable Ended listener;
    /** Of records received and not ended. When it is full, the partitions are paused until a quarter is free. */
    int bufferRecords = 10_000;

    long bufferBytes = Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 16);
    Redelivery redelivery = Redelivery.DEFAULT;
    private @Nullable String deadLetters;

    KafkaSourceBuilder(KafkaClients clients, String topic, String group) {
        this.clients = clients;
        this.topic = requireName(topic);
        this.group = requireName(group);
    }

    /**
     * Receives as a member of a share group of that name, for records whose order does not matter; brokers from 4.2 on. By
     * default records with the same key are processed in order, as a member of a consumer group.
     */
    public KafkaSourceBuilder shared() {
        isShared = true;
        return this;
    }

    /**
     * Commits in transactions, about every 100 ms: what a {@link dev.penstock.kafka.KafkaTarget} of the same bootstrap servers sends
     * while a record is processed, on its thread or one that it starts, takes effect together with the completion of the record, as
     * does its dead letter. If a send fails, all records of the transaction are processed again, and the one that failed counts an
     * attempt. Sending is to be the last that a record does, since others wait for its end. The producer has the settings of this
     * source's cluster. No {@linkplain #key key} is needed. Brokers from 2.5 on; not for a share group. Default: no transactions.
     */
    public KafkaSourceBuilder transactional() {
        isTransactional = true;
        return this;
    }

    /**
     * The maximum number of records in flight, processed and not ended. Default: the capacity of the flow plus an eighth; 500 if
     * the flow has no limit.
     *
     * @param most 1 to 10,000
     * @throws IllegalArgumentException when out of range
     */
    public KafkaSourceBuilder inFlight(int most) {
        inFlight = Ranges.within("in_flight", most, 1, MOST_IN_FLIGHT);
        return this;
    }

    /** The maximum size of the buffer, for tests. */
    KafkaSourceBuilder buffer(int records, long bytes) {
        bufferRecords = records;
        bufferBytes = bytes;
        return this;
    }

    /**
     * The key of a transaction, by which the target or the flow's dedupe stage recognizes a repeated record, so that a record
     * with an unknown outcome may be tried again. Not the key of the record, by which the order is kept. Default: none; then such
     * a record becomes a dead letter, as does one during which a process is known to have died.
     *
     * @param name {@link KafkaSource#ID}, or another header
     */
    public KafkaSourceBuilder key(String name) {
        key = requireName(name);
        return this;
    }

    /**
     * The maximum number of attempts for a record that failed, or whose outcome is unknown and that has a {@linkplain #key key}.
     * Default: 5.
     *
     * @param times 1 to 1,000
     * @throws IllegalArgumentException when out of range
     */
    public KafkaSourceBuilder redeliver(int times) {
        redelivery = redelivery.withAttempts(times);
        return this;
    }

    /**
     * The backoff before another attempt, which doubles each time, with a random reduction of up to half. Default: 200 ms to 10
     * s. Records with the same key wait meanwhile.
     *
     * @param shortest 0 or more
     * @param longest {@code shortest} or more
     * @throws IllegalArgumentException when out of range
     */
    public KafkaSourceBuilder backoff(Duration shortest, Duration longest) {
        redelivery = redelivery.withBackoff(shortest, longest);
        return this;
    }

    /**
     * The dead-letter topic. It must accept records a little larger than those of the topic, because of the headers. Default: the
     * name of the topic and {@code .DLQ}.
     */
    public KafkaSourceBuilder deadLetter(String name) {
        deadLetters = requireName(name);
        return this;
    }

    /** Notifies of each ending, before the record is completed. Default: nobody is notified. */
    public KafkaSourceBuilder onEnded(KafkaSource.Ended endings) {
        listener = endings;
        return this;
    }

    /** Builds a source for a flow, which processes as many records as the flow can. Opens nothing yet. */
    public KafkaSource to(Flow<KafkaRecord, ?> flow) {
        return to(record -> record, flow, flow::capacity);
    }

    /**
     * Builds a source for any service. Opens nothing yet.
     *
     * @param <Q> the request
     * @param reader makes the request of a record, on the thread that then calls the handler; a record for which it throws
     *     anything cannot be read, and becomes a dead letter
     * @param handler called on a virtual thread for each record; reports its ending as a {@link Service} does
     * @param capacity the number of records it can process concurrently, like {@link Flow#capacity()}; {@link
     *     Integer#MAX_VALUE} without a limit. Called often
     * @throws IllegalStateException when it is both shared and transactional
     */
    public <Q> KafkaSource to(
            Function<? super KafkaRecord, ? extends Q> reader, Service<? super Q, ?> handler, IntSupplier capacity) {
        return to((record, _) -> reader.apply(record), handler, capacity);
    }

    /** As above, for a reader that also needs to know where the record is. */
    public <Q> KafkaSource to(
            BiFunction<? super KafkaRecord, KafkaSource.Position, ? extends Q> reader,
            Service<? super Q, ?> handler,
            IntSupplier capacity) {
        if (isShared && isTransactional) {
            throw new IllegalStateException("a share group has no transactions; remove shared() or transactional()");
        }
        return new KafkaSource(this, reader, handler, capacity);
    }

    private static String requireName(String name) {
        return Ranges.named("a topic, group or header", name);
    }

    /** Opens a producer of transactions; null without them. */
    @Nullable
    TransactionalProducer transactions(String id) {
        return isTransactional ? new TransactionalProducer(clients.producer(id), clients.where()) : null;
    }

    String where() {
        return "topic " + topic + " at " + clients.where();
    }

    /** Whether a record may be tried again although an attempt may have taken effect. */
    boolean isRepeatable(KafkaRecord record) {
        return isTransactional || (key != null && record.key(key) != null);
    }

    /** The number of deliveries that do not end, after which a record becomes a dead letter: before the broker drops it. */
    int deliveries() {
        return isShared ? Math.min(redelivery.attempts(), LAST_DELIVERY - 1) : redelivery.attempts();
    }

    String deadLetterTopic() {
        return deadLetters == null ? topic + ".DLQ" : deadLetters;
    }
}
