package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.kafka.kit.KafkaBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A target at a real broker. */
class KafkaTargetTest {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static KafkaBroker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        broker = KafkaBroker.start();
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private static KafkaCluster cluster() {
        return KafkaCluster.at(broker.servers());
    }

    private static String newTopic(int partitions, Map<String, String> settings) throws Exception {
        String topic = "topic-" + TOPICS.incrementAndGet();
        broker.createTopic(topic, partitions, settings);
        return topic;
    }

    private static Unanswered ending(Callable<?> call) {
        return catchThrowableOfType(Unanswered.class, call::call);
    }

    @Test
    void answersWithPartitionAndOffsetAndKeepsKeyHeadersAndOrder() throws Exception {
        String topic = newTopic(3, Map.of());
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build()) {
            KafkaRecord record = KafkaRecord.text("1").withKey("customer-1").withHeader("Idempotency-Key", "é");
            KafkaReceipt first = target.call(record);
            KafkaReceipt second = target.call(KafkaRecord.text("2").withKey("customer-1"));
            assertThat(first.topic()).isEqualTo(topic);
            assertThat(first.offset()).isZero();
            assertThat(second).isEqualTo(new KafkaReceipt(topic, first.partition(), 1));
            List<ConsumerRecord<String, String>> read =
                    TopicContents.until(broker.servers(), topic, last -> "2".equals(last.value()));
            assertThat(read).extracting(ConsumerRecord::value).containsExactly("1", "2");
            assertThat(read).extracting(ConsumerRecord::key).containsOnly("customer-1");
            assertThat(new String(
                            read.getFirst()
                                    .headers()
                                    .lastHeader("Idempotency-Key")
                                    .value(),
                            "UTF-8"))
                    .isEqualTo("é");
            assertThat(target.connections()).containsEntry("opened", 1L).containsEntry("open", 1L);
        }
    }

    @Test
    void sendsTombstonesAndHeadersWithoutValue() throws Exception {
        String topic = newTopic(1, Map.of("cleanup.policy", "compact"));
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build()) {
            target.call(KafkaRecord.of(
                    new byte[] {'k'},
                    null,
                    List.of(new KafkaRecord.Header("h", null), new KafkaRecord.Header("h", null))));
            ConsumerRecord<String, String> read =
                    TopicContents.until(broker.servers(), topic, last -> true).getFirst();
            assertThat(read.value()).isNull();
            assertThat(read.headers().toArray()).hasSize(2).allMatch(header -> header.value() == null);
        }
    }

    @Test
    void manyCallersAreAnsweredEachWithItsOwnOffset() throws Exception {
        String topic = newTopic(2, Map.of());
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<KafkaReceipt>> calls = IntStream.range(0, 300)
                    .mapToObj(i -> callers.submit(() -> target.call(KafkaRecord.text("" + i))))
                    .toList();
            List<KafkaReceipt> receipts = new ArrayList<>();
            for (Future<KafkaReceipt> call : calls) {
                receipts.add(call.get());
            }
            assertThat(receipts).doesNotHaveDuplicates().hasSize(300);
        }
    }

    @Test
    void refusesAnUnknownTopic() {
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic("nowhere").build()) {
            Unanswered ending = ending(() -> target.call(KafkaRecord.text("x")));
            assertThat(ending.why()).isEqualTo(Failed.Cause.REFUSED);
            assertThat(ending).hasMessageContaining("nowhere").hasMessageContaining("create the topic");
        }
    }

    @Test
    void refusesWhatIsTooLargeForTheTopicOrTheProducer() throws Exception {
        String topic = newTopic(1, Map.of("max.message.bytes", "1000"));
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build()) {
            for (int size : new int[] {2_000, 2_000_000}) {
                assertThat(ending(() -> target.call(KafkaRecord.text("x".repeat(size)))))
                        .isInstanceOfSatisfying(Failed.class, failed -> {
                            assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
                            assertThat(failed.refusal()).isEqualTo(Failed.Refusal.VALUE);
                        });
            }
            assertThat(target.call(KafkaRecord.text("x")).offset()).isZero();
        }
    }

    @Test
    void refusesARecordWithoutKeyForACompactedTopic() throws Exception {
        String topic = newTopic(1, Map.of("cleanup.policy", "compact"));
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build()) {
            assertThat(ending(() -> target.call(KafkaRecord.text("x"))).why()).isEqualTo(Failed.Cause.REFUSED);
            assertThat(target.call(KafkaRecord.text("x").withKey("k")).offset()).isZero();
        }
    }

    @Test
    void deadlineThatHasPassedSendsNothing() throws Exception {
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic("never").build()) {
            Unanswered ending = ending(() -> Deadline.in(Duration.ZERO).call(() -> target.call(KafkaRecord.text("x"))));
            assertThat(ending.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(target.connections()).containsEntry("opened", 0L);
        }
    }

    @Test
    void closedTargetRejects() throws Exception {
        String topic = newTopic(1, Map.of());
        KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build();
        target.call(KafkaRecord.text("x"));
        target.close();
        target.close();
        assertThat(ending(() -> target.call(KafkaRecord.text("y"))).why()).isEqualTo(Rejected.Cause.DRAINING);
        assertThat(target.connections()).containsEntry("open", 0L);
    }

    @Test
    void passesOnItsTraceAndDescribesTheAttempt() throws Exception {
        String topic = newTopic(1, Map.of());
        Map<String, Object> attributes = new HashMap<>();
        List<Observation.Exchange> exchanges = new ArrayList<>();
        Observation observation = new Observation() {
            @Override
            public void attribute(String name, Object value) {
                attributes.put(name, value);
            }

            @Override
            public void propagate(BiConsumer<String, String> fields) {
                fields.accept("traceparent", "00-1-2-01");
            }

            @Override
            public void exchanged(Exchange exchange) {
                exchanges.add(exchange);
            }
        };
        try (KafkaTarget target = KafkaTarget.at(cluster()).topic(topic).build()) {
            Flow<KafkaRecord, KafkaReceipt> flow = Flow.named("f")
                    .observer((name, request, now) -> observation)
                    .to(target);
            flow.call(KafkaRecord.text("12345"));
        }
        assertThat(attributes)
                .containsEntry("messaging.system", "kafka")
                .containsEntry("messaging.destination.name", topic)
                .containsEntry("messaging.operation.type", "send")
                .containsEntry("messaging.destination.partition.id", "0")
                .containsEntry("messaging.kafka.offset", 0L)
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry("server.port", broker.port());
        assertThat(exchanges).singleElement().satisfies(exchange -> {
            assertThat(exchange.sent()).isEqualTo(5);
            assertThat(exchange.parts()).containsOnlyKeys("send");
        });
        assertThat(TopicContents.until(broker.servers(), topic, last -> true)
                        .getFirst()
                        .headers()
                        .lastHeader("traceparent"))
                .isNotNull();
    }

    @Test
    void buildsOnlyWhatCanWork() {
        KafkaTargetBuilder builder = KafkaTarget.at(cluster().with("acks", "1")).topic("t");
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acks");
        assertThatThrownBy(KafkaTarget.at(cluster().with("security.protocol", "NONE"))
                        .topic("t")::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("security.protocol");
        assertThatThrownBy(KafkaTarget.at(cluster())::build).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> KafkaTarget.at(cluster()).topic("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KafkaTarget.at(cluster()).timeout(Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class);
        for (String servers : List.of("", "host", "host:", "http://host:1", "host:1,,host:2", "a b:1")) {
            assertThatThrownBy(() -> KafkaCluster.at(servers)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(KafkaCluster.at(" a:1, [::1]:2 ").with("sasl.jaas.config", "secret"))
                .hasToString("a:1,[::1]:2");
        assertThat(KafkaTarget.at(cluster())
                        .topic("t")
                        .timeout(Duration.ofSeconds(5))
                        .build()
                        .settings())
                .extracting(setting -> setting.name() + "=" + setting.value())
                .containsExactly("topic=t", "timeout=5 s");
    }
}
