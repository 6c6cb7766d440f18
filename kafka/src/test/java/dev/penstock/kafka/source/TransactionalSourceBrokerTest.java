package dev.penstock.kafka.source;

import static dev.penstock.kafka.source.Records.await;
import static dev.penstock.kafka.source.Records.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.kafka.KafkaReceipt;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.KafkaTarget;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.SuspendedProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * By a real broker: a reader of committed records sees each result once, whatever happens to the source. The value of a record
 * is its number within its key, a dash, and the key.
 */
@Timeout(300)
class TransactionalSourceBrokerTest {
    private static final int KEYS = 20;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static KafkaBroker broker;

    private final String topic = "forwarded-" + TOPICS.incrementAndGet();

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start(Map.of("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"));
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private void createTopics() throws Exception {
        broker.createTopic(topic, 3, Map.of());
        broker.createTopic(topic + "-results", 3, Map.of());
        broker.createTopic(topic + ".DLQ", 1, Map.of());
    }

    private void send(int from, int to) throws Exception {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int number = from; number < to; number++) {
            for (int key = 0; key < KEYS; key++) {
                records.add(new ProducerRecord<>(topic, bytes("k" + key), bytes(number + "-k" + key)));
            }
        }
        Records.send(ForwardingSource.cluster(broker.servers()), records);
    }

    /** Reads the results that are committed, in the order of each partition. */
    private final class Results implements AutoCloseable {
        private final List<String> values = new ArrayList<>();
        private final Consumer<byte[], byte[]> consumer =
                new KafkaClients.Real(ForwardingSource.cluster(broker.servers())).consumer("results");

        Results() {
            consumer.assign(IntStream.range(0, 3)
                    .mapToObj(n -> new TopicPartition(topic + "-results", n))
                    .toList());
            consumer.seekToBeginning(consumer.assignment());
        }

        int read() {
            consumer.poll(Duration.ofMillis(20))
                    .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
            return values.size();
        }

        /** All numbers of each key once and in order, and nothing else up to the end of the topic. */
        void assertOnce(int numbers) {
            await(() -> read() >= KEYS * numbers
                    && consumer.endOffsets(consumer.assignment()).entrySet().stream()
                            .allMatch(end -> consumer.position(end.getKey()) == end.getValue()));
            Map<String, Integer> last = new HashMap<>();
            for (String value : values) {
                String[] parts = value.split("-", 2);
                assertThat(Integer.parseInt(parts[0])).as(value).isEqualTo(last.merge(parts[1], 1, Integer::sum) - 1);
            }
            assertThat(last)
                    .hasSize(KEYS)
                    .allSatisfy((key, count) -> assertThat(count).as(key).isEqualTo(numbers));
        }

        @Override
        public void close() {
            consumer.close();
        }
    }

    private static KafkaSource forward(KafkaSourceBuilder built, KafkaTarget results) {
        return built.to(Flow.named("forward").deadline(Duration.ofSeconds(20)).to(results));
    }

    @Test
    void killedProcessesRepeatNothing(@TempDir Path folder) throws Exception {
        createTopics();
        send(0, 300);
        try (Results results = new Results();
                KafkaTarget target = ForwardingSource.results(broker.servers(), topic)) {
            for (int kill = 1; kill <= 4; kill++) {
                Process killed = ForwardingSource.start(folder.resolve("output-" + kill), broker.servers(), topic);
                int until = results.read() + 700;
                try {
                    await(() -> results.read() >= until);
                } finally {
                    Programs.kill(killed);
                }
                assertThat(results.read()).as("killed before the end").isLessThan(KEYS * 300);
            }
            try (KafkaSource source = forward(ForwardingSource.source(broker.servers(), topic), target)) {
                source.start();
                results.assertOnce(300);
            }
        }
    }

    @Test
    void suspendedProcessIsFenced(@TempDir Path folder) throws Exception {
        createTopics();
        send(0, 200);
        Process fenced = ForwardingSource.start(folder.resolve("output"), broker.servers(), topic);
        try (Results results = new Results();
                KafkaTarget target = ForwardingSource.results(broker.servers(), topic);
                KafkaSource source = forward(ForwardingSource.source(broker.servers(), topic), target)) {
            await(() -> results.read() >= 500);
            try (SuspendedProcess _ = SuspendedProcess.suspend(fenced)) {
                source.start();
                await(() -> results.read() >= KEYS * 200);
            }
            send(200, 300);
            results.assertOnce(300);
        } finally {
            Programs.kill(fenced);
        }
    }

    @Test
    void membersComeAndGo() throws Exception {
        createTopics();
        send(0, 100);
        try (Results results = new Results();
                KafkaTarget target = ForwardingSource.results(broker.servers(), topic);
                KafkaSource first = forward(ForwardingSource.source(broker.servers(), topic), target)) {
            first.start();
            for (int round = 1; round < 4; round++) {
                try (KafkaSource second = forward(ForwardingSource.source(broker.servers(), topic), target)) {
                    second.start();
                    send(100 * round, 100 * (round + 1));
                    await(() -> {
                        int _ = results.read();
                        return second.counts().getOrDefault("completed", 0L) >= 100;
                    });
                }
            }
            results.assertOnce(400);
        }
    }

    @Test
    void rollsBackWhatFailedWithAllThatWasSentBesideIt() throws Exception {
        createTopics();
        send(0, 30);
        AtomicInteger failures = new AtomicInteger();
        try (Results results = new Results();
                KafkaTarget target = ForwardingSource.results(broker.servers(), topic)) {
            Service<KafkaRecord, KafkaReceipt> handler = record -> {
                String value = KilledSource.value(record);
                KafkaReceipt receipt = target.call(record);
                if (value.equals("20-k7")) {
                    return target.call(KafkaRecord.of(record.key(), new byte[2_000_000], List.of()));
                }
                if (value.endsWith("-k3") && failures.incrementAndGet() % 2 == 1) {
                    throw new Failed(Failed.Cause.UNDONE, "after it was sent to " + receipt);
                }
                return receipt;
            };
            // The deadline is enforced on a thread of its own: this handler does not honor it.
            Flow<KafkaRecord, KafkaReceipt> flow =
                    Flow.named("fails").deadline(Duration.ofSeconds(20)).to(handler);
            try (KafkaSource source = ForwardingSource.source(broker.servers(), topic)
                    .backoff(Duration.ZERO, Duration.ZERO)
                    .to(flow)) {
                source.start();
                await(() ->
                        results.read() >= KEYS * 30 - 1 && source.counts().getOrDefault("completed", 0L) == KEYS * 30L);
                assertThat(source.counts()).containsEntry("dead_letters", 1L);
                assertThat(results.values)
                        .hasSize(KEYS * 30 - 1)
                        .doesNotHaveDuplicates()
                        .doesNotContain("20-k7");
                assertThat(Records.deadLetters(ForwardingSource.cluster(broker.servers()), topic + ".DLQ", 1))
                        .containsOnlyKeys("20-k7");
            }
        }
    }

    /**
     * A lone broker that comes back within its own session ends a transaction that grows too old meanwhile without its markers,
     * and so no reader passes it; hence the longer timeout, which no new producer of the source waits for.
     */
    @Test
    void sendsOnAgainAfterTheBrokerWasKilled() throws Exception {
        createTopics();
        send(0, 100);
        KafkaSourceBuilder built = KafkaSource.at(
                        ForwardingSource.cluster(broker.servers()).with("transaction.timeout.ms", "300000"))
                .topic(topic, topic)
                .transactional();
        try (Results results = new Results();
                KafkaTarget target = ForwardingSource.results(broker.servers(), topic);
                KafkaSource source = forward(built, target)) {
            source.start();
            await(() -> results.read() >= 300);
            broker.restart();
            results.assertOnce(100);
        }
    }
}
