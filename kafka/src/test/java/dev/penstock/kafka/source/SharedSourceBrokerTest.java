package dev.penstock.kafka.source;

import static dev.penstock.kafka.source.Records.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.program.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By a real broker, with a lock of 2 s. The values of records are numbers. */
@Timeout(300)
class SharedSourceBrokerTest {
    private static final long LOCK = 2_000_000_000L;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static KafkaBroker broker;

    private final Queue<String> processed = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(Map.of("group.share.min.record.lock.duration.ms", "1000"));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private static String newTopic() throws Exception {
        String topic = "shared-" + TOPICS.incrementAndGet();
        broker.createTopic(topic, 3, Map.of());
        broker.configureGroup(
                topic,
                Map.of(
                        "share.auto.offset.reset",
                        "earliest",
                        "share.record.lock.duration.ms",
                        Long.toString(LOCK / 1_000_000)));
        return topic;
    }

    private static KafkaSourceBuilder source(String topic) {
        return KafkaSource.at(cluster()).topic(topic, topic).shared().key(KafkaSource.ID);
    }

    private static KafkaSource to(KafkaSourceBuilder built, Service<String, String> handler) {
        return built.to(KilledSource::value, handler, () -> 500);
    }

    private String process(String value) {
        processed.add(value);
        return value;
    }

    private static KafkaCluster cluster() {
        return KafkaCluster.at(broker.servers());
    }

    private static void send(String topic, int from, int to) throws Exception {
        Records.send(
                cluster(),
                IntStream.range(from, to)
                        .mapToObj(number -> new ProducerRecord<byte[], byte[]>(
                                topic, number % 3, null, Records.bytes(Integer.toString(number))))
                        .toList());
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static long count(KafkaSource source, String name) {
        return source.counts().getOrDefault(name, 0L);
    }

    /** Whether the group has finished all records of the topic with its name. */
    private static boolean isFinished(String group) {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.servers()))) {
            Map<TopicPartition, SharePartitionOffsetInfo> all = admin.listShareGroupOffsets(
                            Map.of(group, new ListShareGroupOffsetsSpec()))
                    .partitionsToOffsetInfo(group)
                    .get();
            return all.size() == 3
                    && all.values().stream()
                            .allMatch(one -> one != null && one.lag().orElse(1L) == 0);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void allRecordsEndFarMoreAtOnceThanThereArePartitions() throws Exception {
        String topic = newTopic();
        send(topic, 0, 3_000);
        CountDownLatch together = new CountDownLatch(200);
        try (KafkaSource source = to(source(topic), value -> {
            together.countDown();
            together.await();
            return process(value);
        })) {
            source.start();
            await(() -> count(source, "completed") == 3_000);
            assertThat(source.inFlight()).isZero();
            assertThat(source.outage()).isNull();
            assertThat(source.counts()).containsEntry("received", 3_000L).containsEntry("dead_letters", 0L);
            await(() -> isFinished(topic));
        }
        assertThat(processed).containsExactlyInAnyOrderElementsOf(numbers(3_000));
    }

    @Test
    void slowRecordIsRenewedAndHoldsUpNoOther() throws Exception {
        String topic = newTopic();
        send(topic, 0, 600);
        CountDownLatch open = new CountDownLatch(1);
        try (KafkaSource source = to(source(topic), value -> {
            if (value.equals("1")) {
                open.await();
            }
            return process(value);
        })) {
            source.start();
            await(() -> processed.size() == 599);
            long later = System.nanoTime() + 3 * LOCK; // of the broker, which has no other clock
            await(() -> System.nanoTime() > later);
            send(topic, 600, 700);
            await(() -> processed.size() == 699);
            await(() -> source.lag().equals(OptionalLong.of(1)));
            open.countDown();
            await(() -> isFinished(topic));
            assertThat(source.counts()).containsEntry("received", 700L).containsEntry("recognised", 0L);
        }
        assertThat(processed).containsExactlyInAnyOrderElementsOf(numbers(700));
    }

    @Test
    void rejectedRecordsAreReleasedToAnother() throws Exception {
        String topic = newTopic();
        send(topic, 0, 30);
        AtomicInteger capacity = new AtomicInteger(500);
        try (KafkaSource other = to(source(topic), this::process)) {
            try (KafkaSource draining = source(topic)
                    .to(
                            KilledSource::value,
                            _ -> {
                                capacity.set(0);
                                throw new Rejected(Rejected.Cause.DRAINING, "draining");
                            },
                            capacity::get)) {
                draining.start();
                await(() -> count(draining, "given_back") > 0);
                other.start();
            }
            await(() -> isFinished(topic));
            assertThat(count(other, "dead_letters")).isZero();
        }
        assertThat(processed).containsExactlyInAnyOrderElementsOf(numbers(30));
    }

    @Test
    void deadLettersHaveTheirCause() throws Exception {
        String topic = newTopic();
        broker.createTopic(topic + ".DLQ", 1, Map.of());
        send(topic, 0, 10);
        KafkaSourceBuilder built = KafkaSource.at(cluster())
                .topic(topic, topic)
                .shared()
                .redeliver(2)
                .backoff(Duration.ZERO, Duration.ZERO);
        try (KafkaSource source = built.to(
                record -> {
                    String value = KilledSource.value(record);
                    if (value.equals("3")) {
                        throw new IllegalArgumentException("no amount");
                    }
                    return value;
                },
                value -> {
                    if (value.equals("5")) {
                        throw new Failed(Failed.Cause.UNDONE, "rolled back");
                    }
                    if (value.equals("7")) {
                        throw new Unknown(Unknown.Cause.TIMEOUT, "no answer");
                    }
                    return process(value);
                },
                () -> 500)) {
            source.start();
            await(() -> isFinished(topic));
            assertThat(source.counts()).containsEntry("dead_letters", 3L).containsEntry("tried_again", 1L);
        }
        assertThat(processed).hasSize(7);
        Map<String, Map<String, String>> letters = Records.deadLetters(cluster(), topic + ".DLQ", 3);
        assertThat(letters.get("3")).containsEntry("penstock_cause", "refused").containsEntry("penstock_topic", topic);
        assertThat(letters.get("5")).containsEntry("penstock_cause", "undone").containsEntry("penstock_attempts", "2");
        assertThat(letters.get("7"))
                .containsEntry("penstock_ending", "unknown")
                .containsEntry("penstock_attempts", "1")
                .containsEntry("penstock_reason", "no answer");
    }

    @Test
    void recordsOfAKilledProcessAreProcessedByAnother(@TempDir Path folder) throws Exception {
        String topic = newTopic();
        broker.createTopic(topic + ".DLQ", 1, Map.of());
        send(topic, 0, 1_000);
        Path output = folder.resolve("output");
        Process killed = KilledSource.start(output, broker.servers(), topic, topic, "share");
        try {
            await(() -> KilledSource.done(output).size() == 900); // 100 never end
        } finally {
            Programs.kill(killed);
        }
        try (KafkaSource source = to(source(topic), this::process)) {
            source.start();
            await(() -> isFinished(topic));
            assertThat(count(source, "dead_letters")).isZero();
        }
        assertThat(processed).contains("0", "500", "990");
        List<String> all = new ArrayList<>(KilledSource.done(output));
        all.addAll(processed);
        assertThat(all.stream().distinct()).containsExactlyInAnyOrderElementsOf(numbers(1_000));
    }

    @Test
    void withoutAKeyARecordOfAKilledProcessIsADeadLetter() throws Exception {
        String topic = newTopic();
        broker.createTopic(topic + ".DLQ", 1, Map.of());
        send(topic, 0, 1);
        CountDownLatch never = new CountDownLatch(1);
        KafkaSourceBuilder unkeyed =
                KafkaSource.at(cluster()).topic(topic, topic).shared();
        try (KafkaSource closed = to(unkeyed, value -> {
            processed.add(value);
            never.await();
            return value;
        })) {
            closed.start();
            await(() -> processed.size() == 1);
        }
        try (KafkaSource source = to(unkeyed, this::process)) {
            source.start();
            await(() -> count(source, "completed") == 1);
        }
        never.countDown();
        assertThat(processed).hasSize(1);
        assertThat(Records.deadLetters(cluster(), topic + ".DLQ", 1).get("0"))
                .containsEntry("penstock_ending", "unknown")
                .containsEntry("penstock_attempts", "1");
    }

    @Test
    void reportsWhyNothingIsReceived() throws Exception {
        String topic = "missing-" + TOPICS.incrementAndGet();
        try (KafkaSource source = to(source(topic), this::process)) {
            source.start();
            await(() -> String.valueOf(source.outage()).contains("does not exist; create it"));
            broker.configureGroup(topic, Map.of("share.auto.offset.reset", "earliest"));
            broker.createTopic(topic, 3, Map.of());
            send(topic, 0, 1);
            await(() -> processed.size() == 1);
            assertThat(source.outage()).isNull();
        }
    }
}
