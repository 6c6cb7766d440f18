package dev.penstock.kafka.source;

import static dev.penstock.kafka.source.Records.await;
import static dev.penstock.kafka.source.Records.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By a real broker. The value of a record is its key, a dash, and its number within the key. */
@Timeout(300)
class KafkaSourceBrokerTest {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static KafkaBroker broker;

    private final Queue<String> processed = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start();
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private static String newTopic() throws Exception {
        String topic = "source-" + TOPICS.incrementAndGet();
        broker.createTopic(topic, 3, Map.of());
        return topic;
    }

    private static KafkaCluster cluster() {
        return KafkaCluster.at(broker.servers())
                .with("session.timeout.ms", "6000")
                .with("delivery.timeout.ms", "120000");
    }

    private static KafkaSourceBuilder source(String topic) {
        return KafkaSource.at(cluster()).topic(topic, topic).key(KafkaSource.ID);
    }

    private static KafkaSource to(KafkaSourceBuilder built, Service<String, String> handler) {
        return built.to(KilledSource::value, handler, () -> 500);
    }

    private String process(String value) {
        processed.add(value);
        return value;
    }

    private static void send(String topic, int keys, int numbers) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int number = 0; number < numbers; number++) {
            for (int key = 0; key < keys; key++) {
                records.add(new ProducerRecord<>(topic, bytes("k" + key), bytes(value(number, key))));
            }
        }
        Records.send(cluster(), records);
    }

    private static String value(int number, int key) {
        return number + "-k" + key;
    }

    private static List<String> values(int keys, int numbers) {
        return IntStream.range(0, numbers)
                .boxed()
                .flatMap(number -> IntStream.range(0, keys).mapToObj(key -> value(number, key)))
                .toList();
    }

    private static long completed(KafkaSource source) {
        return source.counts().getOrDefault("completed", 0L);
    }

    private void assertInOrder() {
        Map<String, Integer> last = new HashMap<>();
        for (String value : processed) {
            String[] parts = value.split("-", 2);
            int number = Integer.parseInt(parts[0]);
            Integer before = last.put(parts[1], number);
            assertThat(number).as(value).isEqualTo(before == null ? 0 : before + 1);
        }
    }

    private static long lag(String topic) {
        try (GroupLag lag = new GroupLag(source(topic))) {
            return lag.ask().orElseThrow();
        }
    }

    @Test
    void keepsTheOrderOfEachKeyWith500InFlightOver3Partitions() throws Exception {
        String topic = newTopic();
        send(topic, 1_000, 6);
        CountDownLatch entered = new CountDownLatch(500);
        Set<String> busy = ConcurrentHashMap.newKeySet();
        try (KafkaSource source = to(source(topic), value -> {
            String key = value.split("-", 2)[1];
            assertThat(busy.add(key)).isTrue();
            entered.countDown();
            entered.await();
            processed.add(value);
            busy.remove(key);
            return value;
        })) {
            source.start();
            await(() -> completed(source) == 6_000);
            assertThat(source.inFlight()).isZero();
            assertThat(source.counts()).containsEntry("dead_letters", 0L).containsEntry("tried_again", 0L);
        }
        assertThat(processed).hasSize(6_000);
        assertInOrder();
        assertThat(lag(topic)).isZero();
    }

    @Test
    void slowKeyBlocksNoOther() throws Exception {
        String topic = newTopic();
        send(topic, 300, 10);
        CountDownLatch open = new CountDownLatch(1);
        try (KafkaSource source = to(source(topic), value -> {
            if (value.equals("0-k7")) {
                open.await();
            }
            return process(value);
        })) {
            source.start();
            await(() -> processed.size() == 2_990);
            assertThat(processed).noneMatch(value -> value.endsWith("-k7"));
            open.countDown();
            await(() -> processed.size() == 3_000);
        }
        assertInOrder();
    }

    @Test
    void killedProcessLosesNothingAndOnlyWhatWasInFlightIsRepeated(@TempDir Path folder) throws Exception {
        String topic = newTopic();
        send(topic, 100, 30);
        Path output = folder.resolve("output");
        Process killed = KilledSource.start(output, broker.servers(), topic, topic);
        try {
            await(() -> lag(topic) == 300); // 10 of 100 keys never end
        } finally {
            Programs.kill(killed);
        }
        List<String> before = KilledSource.done(output);
        assertThat(before).hasSize(2_700).doesNotHaveDuplicates();
        try (KafkaSource source = to(source(topic), this::process)) {
            source.start();
            await(() -> processed.size() == 300 && lag(topic) == 0);
            assertThat(source.counts()).containsEntry("dead_letters", 0L);
        }
        assertInOrder();
        List<String> all = new ArrayList<>(before);
        all.addAll(processed);
        assertThat(all).containsExactlyInAnyOrderElementsOf(values(100, 30));
    }

    @Test
    void membersComeAndGoWithoutRepeatsOrLosses() throws Exception {
        String topic = newTopic();
        send(topic, 100, 10);
        AtomicInteger rounds = new AtomicInteger(10);
        try (KafkaSource first = to(source(topic), this::process)) {
            first.start();
            await(() -> processed.size() == 1_000);
            try (KafkaSource second = to(source(topic), this::process)) {
                second.start();
                sendUntil(topic, rounds, () -> completed(second) > 100);
                first.stopAccepting();
                await(() -> first.inFlight() == 0 && completed(first) > 0);
                long atClose = completed(second);
                sendUntil(topic, rounds, () -> completed(second) > atClose + 500);
                int sent = 100 * rounds.get();
                await(() -> processed.size() >= sent && lag(topic) == 0);
                assertThat(processed).hasSize(sent).doesNotHaveDuplicates();
                assertThat(second.outage()).isNull();
            }
        }
        assertInOrder();
    }

    /** Sends rounds of all keys until a condition holds, but only some ahead of what is processed. */
    private void sendUntil(String topic, AtomicInteger rounds, BooleanSupplier condition) {
        try (Producer<byte[], byte[]> producer = new KafkaClients.Real(cluster()).producer(null)) {
            await(() -> {
                if (100 * rounds.get() - processed.size() < 2_000) {
                    int number = rounds.getAndIncrement();
                    for (int key = 0; key < 100; key++) {
                        producer.send(new ProducerRecord<>(topic, bytes("k" + key), bytes(value(number, key))));
                    }
                }
                return condition.getAsBoolean();
            });
        }
    }

    @Test
    void poisonGoesToTheDeadLetterTopic() throws Exception {
        String topic = newTopic();
        broker.createTopic(topic + ".DLQ", 1, Map.of());
        send(topic, 10, 3);
        KafkaSourceBuilder built = source(topic).redeliver(2).backoff(Duration.ZERO, Duration.ZERO);
        try (KafkaSource source = built.to(
                record -> {
                    String value = KilledSource.value(record);
                    if (value.equals("1-k3")) {
                        throw new IllegalArgumentException("no amount");
                    }
                    return value;
                },
                value -> {
                    if (value.equals("0-k5")) {
                        throw new Failed(Failed.Cause.UNDONE, "rolled back");
                    }
                    return process(value);
                },
                () -> 500)) {
            source.start();
            await(() -> completed(source) == 30);
            assertThat(source.counts()).containsEntry("dead_letters", 2L);
        }
        assertThat(processed).hasSize(28);
        Map<String, Map<String, String>> letters = Records.deadLetters(cluster(), topic + ".DLQ", 2);
        assertThat(letters.get("1-k3"))
                .containsEntry("penstock_ending", "failed")
                .containsEntry("penstock_cause", "refused")
                .containsEntry("penstock_topic", topic)
                .containsEntry("penstock_attempts", "0");
        assertThat(letters.getOrDefault("1-k3", Map.of()).get("penstock_reason"))
                .contains("no amount");
        assertThat(letters.get("0-k5"))
                .containsEntry("penstock_cause", "undone")
                .containsEntry("penstock_attempts", "2");
    }

    @Test
    void reportsWhyNothingIsReceived() throws Exception {
        try (KafkaSource source = to(source("missing"), this::process)) {
            source.start();
            await(() -> String.valueOf(source.outage()).contains("the topic missing does not exist"));
            broker.createTopic("missing", 3, Map.of());
            send("missing", 1, 1);
            await(() -> processed.size() == 1);
            assertThat(source.outage()).isNull();
        }
        KafkaCluster nowhere = KafkaCluster.at("127.0.0.1:" + StablePort.free());
        try (KafkaSource source = to(KafkaSource.at(nowhere).topic("t", "t"), this::process)) {
            source.start();
            assertThat(source.outage()).contains("no broker answers");
            assertThat(source.lag()).isEmpty();
        }
    }
}
