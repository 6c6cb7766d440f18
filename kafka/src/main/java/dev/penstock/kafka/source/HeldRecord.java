package dev.penstock.kafka.source;

import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.kafka.source.KafkaSource.Position;
import dev.penstock.kafka.transaction.TransactionalProducer.Participant;
import dev.penstock.source.SourceStop;
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

    final ConsumerRecord<byte[], byte[]> received;
    /** Whether its attempt is committed before it begins. */
    final boolean isCautious;
    /** The key whose records are processed in order; null for none. */
    final @Nullable ByteBuffer key;
    /** The partition as it is assigned now, or was last; or the member that received it last. */
    volatile Delivery delivery;
    /** The attempts before this consumer, or this assignment, began to process it. */
    volatile Attempts before;
    /** The number of commits when its attempt began; guarded by {@link RecordQueue}. */
    long commitsAtBegin;

    /** What the handler returned in the last attempt. */
    @Nullable
    Object answer;

    /** Its attempt in the transactions of the source; null without them. */
    @Nullable
    Participant transaction;

    /** What records were received by: an assigned partition, or a member of a share group. Thread-safe. */
    static class Delivery {
        /** Asked when its records are given back. */
        final SourceStop stop = new SourceStop();
        /** Whether another consumer may have its records. */
        volatile boolean isReleased;
    }

    HeldRecord(ConsumerRecord<byte[], byte[]> received, Delivery delivery, Attempts before, boolean isCautious) {
        this.received = received;
        this.delivery = delivery;
        this.before = before;
        this.isCautious = isCautious;
        byte[] bytes = received.key();
        this.key = bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    long offset() {
        return received.offset();
    }

    /** An attempt has not succeeded. Returns false if another record of its transaction is the reason. */
    boolean undo() {
        Participant failed = transaction;
        transaction = failed == null ? null : failed.next();
        return failed == null || failed.undo();
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

    Position position() {
        return new Position(received.topic(), received.partition(), received.offset(), received.timestamp());
    }

    /** Topic, partition and offset. */
    String id() {
        return received.topic() + "-" + received.partition() + "@" + received.offset();
    }
}
