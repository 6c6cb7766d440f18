package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Unknown;
import dev.penstock.kafka.KafkaCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GroupMemberTest {
    private static final UnaryOperator<KafkaSourceBuilder> KEYED =
            built -> built.key(KafkaSource.ID).backoff(Duration.ZERO, Duration.ZERO);

    private final Queue<String> processed = new ConcurrentLinkedQueue<>();
    private final Queue<String> entered = new ConcurrentLinkedQueue<>();
    private final Map<String, CountDownLatch> open = new ConcurrentHashMap<>();

    /** Processes a request when its latch, if there is one, is open. */
    private Object process(String request) throws InterruptedException {
        entered.add(request);
        CountDownLatch latch = open.get(request);
        if (latch != null) {
            latch.await();
        }
        processed.add(request);
        return request;
    }

    private MockMember member() {
        return new MockMember(KEYED, this::process);
    }

    private void hold(String... requests) {
        List.of(requests).forEach(request -> open.put(request, new CountDownLatch(1)));
    }

    private void release(String request) {
        Objects.requireNonNull(open.get(request)).countDown();
    }

    @Test
    void commitsBelowTheLowestUnfinishedAndKeepsWhatIsCompletedAbove() {
        hold("b");
        MockMember mock = member();
        mock.assign(0);
        mock.add(0, 0, "k1", "a");
        mock.add(0, 1, "k2", "b");
        mock.add(0, 2, "k3", "c");
        mock.pollUntil(() -> processed.size() == 2 && mock.committed(0) == 1 && isCompleted(mock, 2));
        release("b");
        mock.pollUntil(() -> mock.committed(0) == 3);
        assertThat(mock.counts.all()).containsEntry("completed", 3L);
        assertThat(mock.prefetchWindow.inFlight()).isZero();
        assertThat(mock.queue.size()).isZero();
    }

    private static boolean isCompleted(MockMember mock, long offset) {
        OffsetAndMetadata commit = mock.commit(0);
        return commit != null && new PartitionProgress(commit.offset(), commit.metadata()).isCompleted(offset);
    }

    @Test
    void keepsTheOrderOfAKeyAndNoOther() {
        hold("a1");
        MockMember mock = member();
        mock.assign(0);
        mock.add(0, 0, "a", "a1");
        mock.add(0, 1, "a", "a2");
        mock.add(0, 2, "b", "b1");
        mock.add(0, 3, null, "n1");
        mock.add(0, 4, "a", "a3");
        mock.pollUntil(() -> processed.size() == 2);
        assertThat(processed).containsExactlyInAnyOrder("b1", "n1");
        release("a1");
        mock.pollUntil(() -> mock.committed(0) == 5);
        assertThat(processed).hasSize(5).containsSubsequence("a1", "a2", "a3");
    }

    @Test
    void startsOnlyWhatTheFlowHasCapacityFor() {
        hold("0", "1", "2", "3");
        MockMember mock = member();
        mock.capacity.set(2);
        mock.assign(0);
        for (int n = 0; n < 4; n++) {
            mock.add(0, n, null, Integer.toString(n));
        }
        mock.pollUntil(() -> mock.prefetchWindow.inFlight() == 2);
        mock.member.pollOnce();
        assertThat(mock.prefetchWindow.inFlight()).isEqualTo(2);
        assertThat(mock.queue.size()).isEqualTo(4);
        open.values().forEach(CountDownLatch::countDown);
        mock.pollUntil(() -> mock.committed(0) == 4);
        assertThat(mock.prefetchWindow.inFlightMax()).isEqualTo(2);
    }

    @Test
    void pausesWhileTheBufferIsFull() {
        hold("0", "1", "2", "3");
        MockMember mock = new MockMember(built -> KEYED.apply(built).buffer(4, 1 << 20), this::process);
        mock.assign(0, 1);
        for (int n = 0; n < 4; n++) {
            mock.add(0, n, null, Integer.toString(n));
        }
        mock.pollUntil(() -> mock.consumer.paused().size() == 2);
        release("0");
        mock.pollUntil(() -> mock.consumer.paused().isEmpty());
        MockMember small = new MockMember(built -> KEYED.apply(built).buffer(100, 500), this::process);
        small.assign(0);
        small.add(0, 0, null, "1");
        small.add(0, 1, null, "2");
        small.pollUntil(() -> small.consumer.paused().size() == 1);
    }

    @Test
    void restartSkipsWhatIsCompleted() {
        MockMember mock = member();
        PartitionProgress before = new PartitionProgress(10, null);
        for (long offset = 10; offset < 14; offset++) {
            before.received(offset);
        }
        before.completed(11);
        before.completed(13);
        mock.commitBefore(0, before, true);
        mock.assign(0, 1);
        for (int n = 10; n < 15; n++) {
            mock.add(0, n, "k", Integer.toString(n));
        }
        mock.pollUntil(() -> mock.committed(0) == 15);
        assertThat(processed).containsExactly("10", "12", "14");
        assertThat(mock.counts.all()).containsEntry("recognised", 2L).containsEntry("completed", 3L);
    }

    @Test
    void failedIsTriedAgainAndThenBecomesADeadLetter() {
        AtomicInteger calls = new AtomicInteger();
        MockMember mock = new MockMember(built -> KEYED.apply(built).redeliver(3), request -> {
            if (request.equals("bad")) {
                calls.incrementAndGet();
                throw new Failed(Failed.Cause.UNDONE, "not today");
            }
            return process(request);
        });
        mock.assign(0);
        mock.add(0, 0, "k", "bad");
        mock.add(0, 1, "k", "good");
        mock.pollUntil(() -> mock.committed(0) == 2);
        assertThat(calls).hasValue(3);
        assertThat(processed).containsExactly("good");
        assertThat(mock.deadLetters("penstock_cause")).containsExactly("undone");
        assertThat(mock.deadLetters("penstock_attempts")).containsExactly("3");
        assertThat(mock.deadLetters("penstock_reason")).containsExactly("not today");
        assertThat(mock.deadLetters("penstock_offset")).containsExactly("0");
        assertThat(mock.producer.history().getFirst().topic()).isEqualTo("orders.DLQ");
        assertThat(mock.counts.all()).containsEntry("dead_letters", 1L).containsEntry("tried_again", 2L);
    }

    @Test
    void waitForAnotherAttemptBlocksNoOtherKey() {
        MockMember mock = new MockMember(built -> built.backoff(Duration.ofHours(1), Duration.ofHours(1)), request -> {
            if (request.equals("bad")) {
                throw new Failed(Failed.Cause.CONNECT, "down");
            }
            return process(request);
        });
        mock.capacity.set(1);
        mock.assign(0);
        mock.add(0, 0, "k", "bad");
        mock.add(0, 1, "k", "behind");
        for (int n = 2; n < 50; n++) {
            mock.add(0, n, "k" + n, "other");
        }
        mock.pollUntil(() -> processed.size() == 48);
        assertThat(processed).containsOnly("other");
        assertThat(mock.committed(0)).isZero();
        mock.assign(1);
        assertThat(mock.commit(0)).isNotNull();
        assertThat(mock.counts.all()).containsEntry("given_back", 2L);
    }

    @Test
    void rejectedIsTriedAgainWithoutALimitAndCountsNoAttempt() {
        AtomicInteger calls = new AtomicInteger();
        MockMember mock = new MockMember(built -> built.redeliver(1), request -> {
            if (calls.incrementAndGet() < 4) {
                throw new Rejected(Rejected.Cause.LIMIT, "full", Duration.ZERO, null);
            }
            return process(request);
        });
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> mock.committed(0) == 1);
        assertThat(calls).hasValue(4);
        assertThat(mock.producer.history()).isEmpty();
    }

    @Test
    void unknownWithoutAKeyIsADeadLetterImmediately() {
        AtomicInteger calls = new AtomicInteger();
        Service<String, String> lost = request -> {
            calls.incrementAndGet();
            throw new Unknown(Unknown.Cause.TIMEOUT, "no answer");
        };
        MockMember mock = new MockMember(built -> built, lost);
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> mock.committed(0) == 1);
        assertThat(calls).hasValue(1);
        assertThat(mock.deadLetters("penstock_ending")).containsExactly("unknown");
    }

    @Test
    void errorInUserCodeLeaksNoPermit() {
        MockMember mock = new MockMember(built -> built.inFlight(2), request -> {
            if (request.equals("error")) {
                throw new StackOverflowError("deep");
            }
            if (request.equals("interrupt")) {
                Thread.currentThread().interrupt();
                throw new InterruptedException();
            }
            return process(request);
        });
        mock.assign(0);
        for (int n = 0; n < 30; n++) {
            mock.add(0, n, null, n % 3 == 0 ? "error" : n % 3 == 1 ? "interrupt" : "fine");
        }
        mock.pollUntil(() -> mock.committed(0) == 30);
        assertThat(processed).hasSize(10);
        assertThat(mock.deadLetters("penstock_cause"))
                .containsOnly("error", "interrupted")
                .hasSize(20);
        assertThat(mock.prefetchWindow.inFlight()).isZero();
    }

    @Test
    void recordThatCannotBeReadIsADeadLetter() {
        MockMember mock = member();
        mock.assign(0);
        mock.consumer.addRecord(new ConsumerRecord<>(
                MockMember.TOPIC, 0, 0, new byte[1], null)); // the reader of this test cannot read null
        mock.add(0, 1, "k", "fine");
        mock.pollUntil(() -> mock.committed(0) == 2);
        assertThat(mock.deadLetters("penstock_reason").getFirst()).startsWith("the record cannot be read: ");
        assertThat(mock.deadLetters("penstock_attempts")).containsExactly("0");
        assertThat(processed).containsExactly("fine");
    }

    @Test
    void deadLetterIsSentAgainUntilTheBrokerHasIt() {
        MockMember mock = new MockMember(built -> built, request -> {
            throw new Failed(Failed.Cause.REFUSED, "no");
        });
        mock.producer.sendException = new TimeoutException("busy");
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> mock.prefetchWindow.inFlight() == 1);
        mock.producer.sendException = null;
        mock.pollUntil(() -> mock.committed(0) == 1);
        assertThat(mock.producer.history()).hasSize(1);
    }

    @Test
    void revocationFinishesWhatRunsAndGivesBackWhatWaits() {
        hold("a");
        MockMember mock = member();
        mock.capacity.set(1);
        mock.assign(0, 1);
        mock.add(0, 0, "k", "a");
        mock.add(0, 1, "k", "b");
        mock.add(0, 2, "l", "c");
        mock.pollUntil(() -> entered.contains("a"));
        Thread.ofVirtual().name("test-release").start(() -> {
            while (!mock.queue.isFull(0) && mock.counts.givenBack.sum() < 2) {
                Thread.onSpinWait();
            }
            release("a");
        });
        mock.assign(1);
        assertThat(processed).containsExactly("a");
        assertThat(mock.counts.all()).containsEntry("given_back", 2L).containsEntry("completed", 1L);
        mock.assign(0, 1);
        assertThat(mock.committed(0)).isEqualTo(1);
        assertThat(CommitMetadata.decode(
                                1, Objects.requireNonNull(mock.commit(0)).metadata())
                        .isClosed())
                .isTrue();
        mock.add(0, 1, "k", "b");
        mock.add(0, 2, "l", "c");
        mock.pollUntil(() -> processed.size() == 3);
        assertThat(mock.queue.size()).isZero();
    }

    @Test
    void recordThatStillRunsWhenItsPartitionReturnsIsNotProcessedTwice() {
        hold("a");
        MockMember mock = member();
        mock.assign(0, 1);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> entered.contains("a"));
        mock.member.onPartitionsLost(Set.of(MockMember.partition(0)));
        mock.member.onPartitionsAssigned(Set.of(MockMember.partition(0)));
        mock.consumer.seek(MockMember.partition(0), 0);
        mock.add(0, 0, "k", "a");
        mock.add(0, 1, "k", "b");
        mock.pollUntil(() -> mock.counts.recognised.sum() == 1);
        assertThat(processed).isEmpty();
        release("a");
        mock.pollUntil(() -> mock.committed(0) == 2);
        assertThat(processed).containsExactly("a", "b");
        assertThat(mock.prefetchWindow.inFlight()).isZero();
        assertThat(mock.queue.size()).isZero();
    }

    @Test
    void attemptIsCommittedBeforeItBeginsWhenThePartitionWasNotClosed() {
        AtomicReference<MockMember> mock = new AtomicReference<>();
        Queue<Integer> committedAttempts = new ConcurrentLinkedQueue<>();
        mock.set(new MockMember(KEYED, request -> {
            committedAttempts.add(committedAttempts(mock.get()));
            return process(request);
        }));
        mock.get().assign(0);
        mock.get().add(0, 0, "k", "a");
        mock.get().pollUntil(() -> mock.get().committed(0) == 1);
        assertThat(committedAttempts).containsExactly(1);
    }

    private static int committedAttempts(MockMember mock) {
        var commit = mock.commit(0);
        return commit == null
                ? 0
                : new PartitionProgress(commit.offset(), commit.metadata())
                        .attempts(0)
                        .count();
    }

    @Test
    void recordDuringWhichProcessesDiedBecomesADeadLetter() {
        MockMember mock = new MockMember(built -> KEYED.apply(built).redeliver(3), this::process);
        PartitionProgress before = new PartitionProgress(0, null);
        for (long offset = 0; offset < 3; offset++) {
            before.received(offset);
            before.began(offset);
        }
        for (int n = 0; n < 2; n++) {
            before.began(0); // the third
            before.began(1);
        }
        before.tried(1, false); // the third was not sent
        mock.commitBefore(0, before, false);
        mock.assign(0);
        mock.add(0, 0, "k0", "fatal");
        mock.add(0, 1, "k1", "suspect");
        mock.add(0, 2, "k2", "other");
        mock.pollUntil(() -> mock.committed(0) == 3);
        assertThat(processed).containsExactlyInAnyOrder("suspect", "other");
        assertThat(mock.deadLetters("penstock_attempts")).containsExactly("3");
        assertThat(mock.deadLetters("penstock_reason").getFirst()).startsWith(KafkaSource.PROCESS_DIED);
    }

    @Test
    void recordWithoutAKeyDuringWhichAProcessDiedIsADeadLetterImmediately() {
        MockMember mock = new MockMember(built -> built, this::process);
        PartitionProgress before = new PartitionProgress(0, null);
        before.received(0);
        before.began(0);
        mock.commitBefore(0, before, false);
        mock.assign(0);
        mock.add(0, 0, "k0", "a");
        mock.add(0, 1, "k0", "b");
        mock.pollUntil(() -> mock.committed(0) == 2);
        assertThat(processed).containsExactly("b");
        assertThat(mock.deadLetters("penstock_ending")).containsExactly("unknown");
    }

    @Test
    void stopGivesBackWhatWaitsAndCommitsTheRest() {
        hold("a");
        MockMember mock = member();
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.add(0, 1, "k", "b");
        mock.pollUntil(() -> entered.contains("a"));
        mock.stop.ask();
        mock.add(0, 2, "l", "c");
        mock.member.pollOnce();
        release("a");
        mock.member.run(() -> mock.prefetchWindow.inFlight() == 0);
        assertThat(processed).containsExactly("a");
        assertThat(mock.queue.size()).isZero();
        assertThat(mock.committed(0)).isEqualTo(1);
    }

    @Test
    void closedSourceHasNoOpenConsumer() throws Exception {
        MockMember mock = member();
        KafkaSource source = new KafkaSourceBuilder(mock, MockMember.TOPIC, "group")
                .to(record -> record, request -> request, () -> 1);
        source.start();
        source.close();
        assertThat(mock.consumer.closed()).isTrue();
        assertThat(source.settings()).extracting(Setting::name).contains("kafka.by", "kafka.in_flight");
    }

    @Test
    void refusedSettingIsReportedWithoutItsValue() {
        KafkaCluster cluster = KafkaCluster.at("127.0.0.1:1").with("fetch.max.wait.ms", "s3cr3t");
        try (KafkaSource source =
                KafkaSource.at(cluster).topic("orders", "group").to(record -> record, record -> record, () -> 1)) {
            assertThatThrownBy(source::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("invalid value for fetch.max.wait.ms")
                    .hasMessageNotContaining("s3cr3t");
        }
    }
}
