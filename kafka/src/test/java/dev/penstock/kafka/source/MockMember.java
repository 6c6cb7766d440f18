package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceHealth;
import dev.penstock.source.SourceStop;
import dev.penstock.supervise.Supervisor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A member of a group whose broker is mocked, polled by the thread of the test. Requests are the values, as text. */
final class MockMember implements KafkaClients {
    static final String TOPIC = "orders";
    private static final long SOON = 60_000_000_000L;

    final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    final AtomicInteger capacity = new AtomicInteger(Integer.MAX_VALUE);
    final RecordQueue queue;
    final ReceivedRecords.KafkaSourceCounts counts;
    final SourceStop stop;
    final PrefetchWindow prefetchWindow;
    final GroupMember member;

    MockMember(UnaryOperator<KafkaSourceBuilder> configure, Service<String, ?> handler) {
        KafkaSourceBuilder built = configure.apply(new KafkaSourceBuilder(this, TOPIC, "group"));
        queue = new RecordQueue(built, capacity::get);
        counts = queue.counts;
        stop = queue.stop;
        prefetchWindow = queue.prefetchWindow;
        RecordHandling<String> handling = new RecordHandling<>(
                queue,
                (record, _) -> new String(record.value(), StandardCharsets.UTF_8),
                handler,
                new DeadLetterTopic(built.deadLetterTopic(), () -> producer),
                Supervisor.create().part("kafka-consumer", "test"));
        member = new GroupMember(queue, handling, new SourceHealth("test", stop));
        consumer.updateBeginningOffsets(Map.of(partition(0), 0L, partition(1), 0L, partition(2), 0L));
        member.join();
    }

    static TopicPartition partition(int number) {
        return new TopicPartition(TOPIC, number);
    }

    void assign(int... partitions) {
        consumer.rebalance(
                IntStream.of(partitions).mapToObj(MockMember::partition).toList());
    }

    void add(int partition, long offset, @Nullable String key, String value) {
        consumer.addRecord(new ConsumerRecord<>(TOPIC, partition, offset, bytes(key), bytes(value)));
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    void pollUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON;
        do {
            assertThat(System.nanoTime()).as("the condition is met in time").isLessThan(end);
            member.pollOnce();
            Ticker.SYSTEM.parkUntil(System.nanoTime() + 1_000_000);
        } while (!condition.getAsBoolean());
    }

    /** The committed offset; -1 for none. */
    long committed(int partition) {
        OffsetAndMetadata committed = commit(partition);
        return committed == null ? -1 : committed.offset();
    }

    @Nullable
    OffsetAndMetadata commit(int partition) {
        return consumer.committed(Set.of(partition(partition))).get(partition(partition));
    }

    /** What an earlier member committed for a partition that is not assigned yet. */
    void commitBefore(int partition, PartitionProgress progress, boolean isClosed) {
        long offset = progress.lowestUnfinished();
        consumer.commitSync(Map.of(
                partition(partition),
                new OffsetAndMetadata(
                        offset, progress.metadata(isClosed).encode(offset).text())));
    }

    List<String> deadLetters(String header) {
        List<String> found = new ArrayList<>();
        producer.history()
                .forEach(letter ->
                        found.add(new String(letter.headers().lastHeader(header).value(), StandardCharsets.UTF_8)));
        return found;
    }

    @Override
    public String where() {
        return "mock";
    }

    @Override
    public Consumer<byte[], byte[]> consumer(String group) {
        return consumer;
    }

    @Override
    public ShareConsumer<byte[], byte[]> shareConsumer(String group, int batch) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Producer<byte[], byte[]> producer(@Nullable String transactionalId) {
        return producer;
    }

    @Override
    public Admin admin() {
        throw new UnsupportedOperationException();
    }
}
