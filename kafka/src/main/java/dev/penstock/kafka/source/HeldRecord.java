package dev.penstock.kafka.source;

import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.CommitMetadata.Attempts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record from its receipt until it has ended. */
final class HeldRecord {
    /** Of the objects around a record, roughly. */
    private static final int OVERHEAD_BYTES = 400;

    private final ConsumerRecord<byte[], byte[]> received;
    private volatile Attempts before;
    private final boolean isCautious;
    private final @Nullable ByteBuffer key;
    private volatile Delivery delivery;
    /** The number of commits when its attempt began; guarded by {@link RecordQueue}. */
    long commitsAtBegin;

    /** What the handler returned in the last attempt. */
    @Nullable
    Object answer;

    HeldRecord(ConsumerRecord<byte[], byte[]> received, Delivery delivery, Attempts before, boolean isCautious) {
        this.received = received;
        this.delivery = delivery;
        this.before = before;
        this.isCautious = isCautious;
        byte[] bytes = received.key();
        this.key = bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    ConsumerRecord<byte[], byte[]> received() {
        return received;
    }

    long offset() {
        return received.offset();
    }

    /** The key whose records are processed in order; null for none. */
    @Nullable
    ByteBuffer key() {
        return key;
    }

    /** The attempts before this consumer, or this assignment, began to process it. */
    Attempts before() {
        return before;
    }

    void before(Attempts attempts) {
        before = attempts;
    }

    /** Whether its attempt is committed before it begins. */
    boolean isCautious() {
        return isCautious;
    }

    /** The partition as it is assigned now, or was last; or the member that received it last. */
    Delivery delivery() {
        return delivery;
    }

    void delivery(Delivery again) {
        delivery = again;
    }

    /** Whether the target recognizes the record when it is repeated, by this key. */
    boolean isKeyed(@Nullable String name) {
        return name != null && read().key(name) != null;
    }

    /** The memory it takes, roughly. */
    long bytes() {
        return (long) OVERHEAD_BYTES
                + Math.max(0, received.serializedKeySize())
                + Math.max(0, received.serializedValueSize());
    }

    /** Its content, with the header {@link KafkaSource#ID}. */
    KafkaRecord read() {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (Header header : received.headers()) {
            headers.add(new KafkaRecord.Header(header.key(), header.value()));
        }
        KafkaRecord record = KafkaRecord.of(received.key(), received.value(), headers);
        return record.header(KafkaSource.ID) == null ? record.withHeader(KafkaSource.ID, id()) : record;
    }

    /** Topic, partition and offset. */
    String id() {
        return received.topic() + "-" + received.partition() + "@" + received.offset();
    }
}
