package dev.penstock.kafka;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A producer of Kafka for one topic and its counters. It is discarded rather than repaired. Thread-safe.
 *
 * <h2>Design note: what was sent</h2>
 *
 * <p>Kafka's producer takes a record into its buffer, and a thread of its own moves it with others into requests, which it
 * repeats. It shows neither when a record leaves the buffer nor whether it was sent more than once, and no record can be
 * taken back. But it counts the records of all requests ({@code record-send-total}) on that thread, before it writes a request
 * to a socket, and the repeated ones ({@code record-retry-total}) before it repeats them. So:
 *
 * <ul>
 *   <li>What {@code send} does not take was not sent. With {@code max.block.ms} 0 it never blocks, so that this is decided
 *       before the caller's deadline, on the caller's thread.
 *   <li>If {@code record-send-total} has not grown since before a record was taken, this record was not sent <em>yet</em>. If
 *       it is the same after the producer's thread has ended, the record was <em>never</em> sent. So a record is withdrawn by
 *       discarding the producer; no other call takes a record back. Records of other calls end with it: those that were not
 *       sent are withdrawn too, the others are unknown. That is why a producer is discarded only when it has sent nothing
 *       since the record was taken, and no broker has answered for {@value #STALL_MS} ms while it had records: then
 *       the other calls have little to lose.
 *   <li>A broker's refusal is final if {@code record-retry-total} has not grown either. Otherwise an earlier attempt, whose
 *       answer was lost, may have put the record in the topic, and the ending is unknown.
 *   <li>Both counters are of all records, so a record that waits while others are sent counts as sent: an ending may be
 *       unknown for a record that was not sent, never the other way round.
 *   <li>An expired record ({@code delivery.timeout.ms}) is always unknown: the producer may still send one that it
 *       reported as expired, if it was moved into a request at that moment.
 * </ul>
 */
final class TopicProducer {
    /** Without any answer for this long, a producer with records in its buffer has lost its brokers. */
    static final long STALL_MS = 1000;

    private static final long POLL_NANOS = 10_000_000;
    private static final String METRICS = "producer-metrics";

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final Metric sent;
    private final Metric repeated;
    private final Metric connected;
    private final AtomicBoolean discarded = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    private final AtomicInteger pending = new AtomicInteger();
    /** The time of the last acknowledgement, or of the first record after a time without any. */
    private volatile long silentSince;

    private volatile boolean hasWorked;

    /** Takes over a producer, to close it. */
    TopicProducer(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
        sent = metric("record-send-total");
        repeated = metric("record-retry-total");
        connected = metric("connection-creation-total");
    }

    private Metric metric(String name) {
        for (Metric metric : producer.metrics().values()) {
            if (metric.metricName().name().equals(name)
                    && metric.metricName().group().equals(METRICS)) {
                return metric;
            }
        }
        throw new IllegalStateException("Kafka's producer has no metric " + name);
    }

    private static long value(Metric metric) {
        return metric.metricValue() instanceof Number number ? number.longValue() : 0;
    }

    /** Waits until the partitions of the topic are known; not so long if a broker has no such topic: it may be creating it. */
    void awaitTopic(long nanos, long unknownTopicNanos) {
        long start = Ticker.SYSTEM.nanos();
        while (!discarded.get()) {
            try {
                producer.partitionsFor(topic);
                return;
            } catch (TimeoutException notYet) {
                long limit = SendFault.isUnknownTopic(notYet) ? unknownTopicNanos : nanos;
                if (SendFault.isLasting(notYet) || Ticker.SYSTEM.nanos() - start > limit) {
                    throw notYet;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        throw new TimeoutException("the target was closed");
    }

    /** Whether a broker accepted a connection. */
    boolean isConnected() {
        return value(connected) > 0;
    }

    /** How many records were moved into requests, and how many of those once more. */
    record Progress(long sent, long repeated) {}

    Progress progress() {
        return new Progress(value(sent), value(repeated));
    }

    /** Takes a record into the buffer. Throws what Kafka's producer throws. */
    void take(KafkaRecord record, RecordDelivery delivery) {
        if (pending.getAndIncrement() == 0) {
            silentSince = Ticker.SYSTEM.nanos();
        }
        Future<RecordMetadata> _ = producer.send(record(topic, record), delivery);
    }

    static ProducerRecord<byte[], byte[]> record(String topic, KafkaRecord content) {
        var record = new ProducerRecord<byte[], byte[]>(topic, null, content.key(), content.value());
        content.headers().forEach(header -> record.headers().add(header.name(), header.value()));
        return record;
    }

    /** The delivery of a record has ended. */
    void ended(boolean isAcknowledged) {
        pending.decrementAndGet();
        if (isAcknowledged) {
            hasWorked = true;
            silentSince = Ticker.SYSTEM.nanos();
        }
    }

    boolean hasWorked() {
        return hasWorked;
    }

    /** Whether nothing was sent since then, and no record was acknowledged for a while. */
    boolean isStalledSince(Progress then) {
        return progress().sent == then.sent
                && Ticker.SYSTEM.nanos() - silentSince
                        >= Duration.ofMillis(STALL_MS).toNanos();
    }

    boolean isDiscarded() {
        return discarded.get();
    }

    /** Closes it in the background, without sending what is in its buffer. */
    CompletableFuture<@Nullable Void> discard() {
        if (discarded.compareAndSet(false, true)) {
            Thread.ofVirtual().name("penstock-kafka-close").start(this::close);
        }
        return closed;
    }

    private void close() {
        try {
            producer.close(Duration.ZERO);
        } catch (Throwable ignored) {
            // Also an Error of the client: what is closed is no longer needed.
        } finally {
            closed.complete(null);
        }
    }
}
