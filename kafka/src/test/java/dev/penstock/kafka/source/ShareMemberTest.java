package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceHealth;
import dev.penstock.supervise.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By a mocked consumer with the rules of the real one; the test is the poll thread. */
@Timeout(120)
class ShareMemberTest {
    private static final String TOPIC = "orders";
    private static final UnaryOperator<KafkaSourceBuilder> KEYED =
            built -> built.key(KafkaSource.ID).backoff(Duration.ZERO, Duration.ZERO);

    private final Queue<String> processed = new ConcurrentLinkedQueue<>();

    /** What is not acknowledged may not be polled past, and what is renewed is returned once more, before anything else. */
    private static final class Mock extends MockShareConsumer<byte[], byte[]> {
        final Deque<ConsumerRecord<byte[], byte[]>> available = new ArrayDeque<>();
        final Map<Long, ConsumerRecord<byte[], byte[]>> inFlight = new LinkedHashMap<>();
        final Map<Long, AcknowledgeType> acknowledged = new HashMap<>();
        private final Set<Long> pending = new HashSet<>();
        private final List<ConsumerRecord<byte[], byte[]>> renewed = new ArrayList<>();
        int polls;
        int lockMillis = 30_000;
        boolean losesLocks;

        @Override
        public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            polls++;
            if (!pending.containsAll(inFlight.keySet())) {
                throw new IllegalStateException("All records must be acknowledged in explicit acknowledgement mode.");
            }
            commitAsync();
            List<ConsumerRecord<byte[], byte[]>> next = new ArrayList<>(renewed);
            if (renewed.isEmpty()) {
                next.addAll(available);
                available.clear();
            }
            renewed.clear();
            next.forEach(one -> inFlight.put(one.offset(), one));
            return new ConsumerRecords<>(Map.of(new TopicPartition(TOPIC, 0), next), Map.of());
        }

        @Override
        public synchronized void acknowledge(ConsumerRecord<byte[], byte[]> received, AcknowledgeType how) {
            if (!inFlight.containsKey(received.offset())) {
                throw new IllegalStateException("The record cannot be acknowledged.");
            }
            acknowledged.put(received.offset(), how);
            pending.add(received.offset());
        }

        @Override
        public synchronized void commitAsync() {
            for (long offset : pending) {
                ConsumerRecord<byte[], byte[]> one = Objects.requireNonNull(inFlight.remove(offset));
                if (acknowledged.get(offset) == AcknowledgeType.RENEW && !losesLocks) {
                    renewed.add(one);
                }
            }
            pending.clear();
        }

        @Override
        public synchronized Map<TopicIdPartition, Optional<KafkaException>> commitSync(Duration timeout) {
            commitAsync();
            return Map.of();
        }

        @Override
        public Optional<Integer> acquisitionLockTimeoutMs() {
            return Optional.of(lockMillis);
        }
    }

    /** A member, and what it needs. */
    private static final class Setup implements KafkaClients {
        final Mock consumer = new Mock();
        final MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        final AtomicInteger capacity = new AtomicInteger(100);
        final ReceivedRecords.KafkaSourceCounts counts;
        final PrefetchWindow prefetchWindow;
        final ShareMember member;

        Setup(UnaryOperator<KafkaSourceBuilder> configure, Service<String, ?> handler) {
            KafkaSourceBuilder built = configure.apply(new KafkaSourceBuilder(this, TOPIC, "group").shared());
            SharedRecords records = new SharedRecords(built, capacity::get);
            counts = records.counts;
            prefetchWindow = records.prefetchWindow;
            RecordHandling<String> handling = new RecordHandling<>(
                    records,
                    (record, _) -> KilledSource.value(record),
                    handler,
                    new DeadLetterTopic(built.deadLetterTopic(), () -> producer),
                    Supervisor.create().part("kafka-consumer", "test"));
            ShareMembers members = new ShareMembers(records, handling, new SourceHealth("test", records.stop));
            member = new ShareMember(members, 8);
            member.join();
        }

        void deliver(long offset, int deliveryCount, String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            consumer.available.add(new ConsumerRecord<>(
                    TOPIC,
                    0,
                    offset,
                    7,
                    TimestampType.CREATE_TIME,
                    -1,
                    bytes.length,
                    null,
                    bytes,
                    new RecordHeaders(),
                    Optional.empty(),
                    Optional.of((short) deliveryCount)));
        }

        void stepUntil(BooleanSupplier condition) throws InterruptedException {
            do {
                member.step();
            } while (!condition.getAsBoolean());
        }

        boolean hasAcknowledged(long offset, AcknowledgeType how) {
            return consumer.acknowledged.get(offset) == how && consumer.inFlight.isEmpty();
        }

        @Override
        public String where() {
            return "mock";
        }

        @Override
        public Consumer<byte[], byte[]> consumer(String group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ShareConsumer<byte[], byte[]> shareConsumer(String group, int batch) {
            return consumer;
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

    private Object process(String value) {
        processed.add(value);
        return value;
    }

    @Test
    void acknowledgesWhatHasEndedAndReceivesTheNextBatch() throws Exception {
        Setup setup = new Setup(KEYED, this::process);
        setup.deliver(0, 1, "a");
        setup.deliver(1, 1, "b");
        setup.stepUntil(() -> setup.hasAcknowledged(1, AcknowledgeType.ACCEPT));
        setup.deliver(2, 1, "c");
        setup.stepUntil(() -> setup.hasAcknowledged(2, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(setup.prefetchWindow.inFlight()).isZero();
    }

    @Test
    void receivesNothingWhileTheFlowHasNoCapacity() throws Exception {
        Setup setup = new Setup(KEYED, this::process);
        setup.capacity.set(0);
        setup.deliver(0, 1, "a");
        setup.member.step();
        setup.member.step();
        assertThat(setup.consumer.polls).isZero();
        setup.capacity.set(1);
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(setup.counts.all()).containsEntry("received", 1L);
    }

    @Test
    void renewsWhatIsInProcess() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        Setup setup = new Setup(KEYED, value -> {
            open.await();
            return process(value);
        });
        setup.consumer.lockMillis = 1;
        setup.deliver(0, 1, "a");
        setup.stepUntil(() -> setup.consumer.polls >= 4);
        assertThat(setup.consumer.acknowledged).containsEntry(0L, AcknowledgeType.RENEW);
        setup.consumer.lockMillis = 30_000;
        open.countDown();
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactly("a");
        assertThat(setup.counts.all()).containsEntry("received", 1L).containsEntry("recognised", 0L);
    }

    /** A record is in process until it is opened, and its lock was lost. */
    private Setup withALostLock(CountDownLatch open) throws InterruptedException {
        Setup setup = new Setup(KEYED, value -> {
            open.await();
            return process(value);
        });
        setup.consumer.lockMillis = 1;
        setup.consumer.losesLocks = true;
        setup.deliver(0, 1, "a");
        setup.stepUntil(() -> setup.consumer.polls >= 2 && setup.consumer.inFlight.isEmpty());
        setup.consumer.losesLocks = false;
        setup.consumer.lockMillis = 30_000;
        return setup;
    }

    @Test
    void recordWithALostLockIsNotProcessedAgain() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        Setup setup = withALostLock(open);
        setup.deliver(0, 2, "a"); // in process still
        setup.stepUntil(() -> !setup.consumer.inFlight.isEmpty());
        open.countDown();
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactly("a");
        assertThat(setup.counts.all()).containsEntry("received", 1L).containsEntry("dead_letters", 0L);
    }

    @Test
    void completedRecordIsOnlyAcknowledgedWhenItIsDeliveredAgain() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        Setup setup = withALostLock(open);
        open.countDown();
        setup.stepUntil(() -> setup.counts.all().getOrDefault("completed", 0L) == 1);
        setup.deliver(1, 1, "b");
        setup.stepUntil(() -> setup.hasAcknowledged(1, AcknowledgeType.ACCEPT)); // after it has noticed the lost lock
        setup.deliver(0, 2, "a");
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactly("a", "b");
        assertThat(setup.counts.all()).containsEntry("recognised", 1L);
    }

    @Test
    void showsHowItReceives() {
        KafkaSourceBuilder built =
                KafkaSource.at(KafkaCluster.at("b.example:9092")).topic(TOPIC, "g");
        assertThat(built.shared()
                        .to(KilledSource::value, this::process, () -> 1)
                        .settings())
                .filteredOn(setting -> setting.name().equals("kafka.by"))
                .singleElement()
                .satisfies(setting -> assertThat(setting.value()).isEqualTo("share"));
    }

    @Test
    void releasesARejectedRecord() throws Exception {
        Setup setup = new Setup(KEYED, _ -> {
            throw new Rejected(Rejected.Cause.DRAINING, "draining");
        });
        setup.deliver(0, 1, "a");
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.RELEASE));
        assertThat(setup.counts.all()).containsEntry("given_back", 1L).containsEntry("completed", 0L);
    }

    @Test
    void redeliveredRecordNeedsAKey() throws Exception {
        Setup setup = new Setup(built -> built, this::process);
        setup.deliver(0, 2, "a");
        setup.stepUntil(() -> setup.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(processed).isEmpty();
        assertThat(setup.producer.history()).hasSize(1);
        Setup keyed = new Setup(KEYED, this::process);
        keyed.deliver(0, 2, "a");
        keyed.stepUntil(() -> keyed.hasAcknowledged(0, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactly("a");
    }

    @Test
    void lastDeliveryBecomesADeadLetterBeforeTheBrokerDropsIt() throws Exception {
        Setup setup = new Setup(KEYED, this::process);
        setup.deliver(0, 4, "a");
        setup.deliver(1, 5, "b");
        setup.stepUntil(() -> setup.hasAcknowledged(1, AcknowledgeType.ACCEPT));
        assertThat(processed).containsExactly("a");
        assertThat(setup.producer.history()).hasSize(1);
        assertThat(new String(
                        setup.producer
                                .history()
                                .getFirst()
                                .headers()
                                .lastHeader("penstock_reason")
                                .value(),
                        StandardCharsets.UTF_8))
                .startsWith(KafkaSource.PROCESS_DIED);
    }
}
