package dev.penstock.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.transaction.TransactionalProducer;
import dev.penstock.kafka.transaction.TransactionalProducer.Participant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a mocked broker. The transaction that the producer mocks has the offsets and the records that were sent. */
@Timeout(120)
class TransactionalMemberTest {
    private static final UnaryOperator<KafkaSourceBuilder> TRANSACTIONAL =
            built -> built.transactional().redeliver(3).backoff(Duration.ZERO, Duration.ZERO);

    private final Queue<String> begun = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    private static String send(String value) throws Exception {
        Participant transaction = Objects.requireNonNull(TransactionalProducer.current());
        return transaction
                .send(new ProducerRecord<>("results", value.getBytes(StandardCharsets.UTF_8)), 20_000_000_000L)
                .topic();
    }

    private Object process(String value) throws Exception {
        begun.add(value);
        return send(value);
    }

    private static List<String> results(MockMember mock) {
        return mock.producer.history().stream()
                .filter(record -> record.topic().equals("results"))
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    private static @Nullable OffsetAndMetadata last(MockMember mock, int partition) {
        return mock.producer.consumerGroupOffsetsHistory().reversed().stream()
                .map(groups -> groups.values().iterator().next().get(MockMember.partition(partition)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static long committed(MockMember mock) {
        OffsetAndMetadata last = last(mock, 0);
        return last == null ? -1 : last.offset();
    }

    @Test
    void commitsWhatWasSentTogetherWithTheOffsets() {
        CountDownLatch open = new CountDownLatch(1);
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            if (value.equals("b")) {
                open.await();
            }
            return process(value);
        });
        mock.assign(0);
        mock.add(0, 0, "k1", "a");
        mock.add(0, 1, "k2", "b");
        mock.add(0, 2, "k3", "c");
        mock.pollUntil(() -> results(mock).size() == 2 && mock.counts.completed.sum() == 2);
        OffsetAndMetadata first = Objects.requireNonNull(last(mock, 0));
        assertThat(first.offset()).isEqualTo(1);
        assertThat(new PartitionProgress(1, first.metadata()).isCompleted(2)).isTrue();
        open.countDown();
        mock.pollUntil(() -> committed(mock) == 3);
        assertThat(results(mock)).containsExactlyInAnyOrder("a", "c", "b");
        assertThat(mock.commit(0)).isNull();
        assertThat(mock.queue.size()).isZero();
        assertThat(mock.prefetchWindow.inFlight()).isZero();
    }

    @Test
    void nextOfAKeyBeginsWhenTheTransactionIsCommitted() {
        AtomicReference<MockMember> mock = new AtomicReference<>();
        Queue<Integer> resultsAtBegin = new ConcurrentLinkedQueue<>();
        mock.set(new MockMember(TRANSACTIONAL, value -> {
            resultsAtBegin.add(results(mock.get()).size());
            return process(value);
        }));
        mock.get().assign(0);
        for (int n = 0; n < 5; n++) {
            mock.get().add(0, n, "k", "v" + n);
        }
        mock.get().pollUntil(() -> committed(mock.get()) == 5);
        assertThat(resultsAtBegin).containsExactly(0, 1, 2, 3, 4);
        assertThat(results(mock.get())).containsExactly("v0", "v1", "v2", "v3", "v4");
    }

    @Test
    void failedSendRollsBackAndOnlyItsRecordCountsAnAttempt() {
        CountDownLatch othersHaveSent = new CountDownLatch(9);
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            if (value.equals("bad") && calls.incrementAndGet() == 1) {
                othersHaveSent.await();
                throw new Failed(Failed.Cause.UNDONE, "after it was sent: " + process(value));
            }
            Object sent = process(value);
            othersHaveSent.countDown();
            return sent;
        });
        mock.assign(0);
        mock.add(0, 0, null, "bad");
        for (int n = 1; n < 10; n++) {
            mock.add(0, n, null, "v" + n);
        }
        mock.pollUntil(() -> committed(mock) == 10);
        assertThat(results(mock)).hasSize(10).doesNotHaveDuplicates();
        assertThat(mock.counts.all()).containsEntry("tried_again", 1L).containsEntry("dead_letters", 0L);
        assertThat(mock.counts.completed.sum()).isEqualTo(10);
    }

    @Test
    void deadLetterIsInATransactionAndNothingElseOfItsRecord() {
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            Object sent = process(value);
            if (value.equals("bad")) {
                throw new Failed(Failed.Cause.UNDONE, "after it was sent: " + sent);
            }
            return sent;
        });
        mock.assign(0);
        mock.add(0, 0, "k", "bad");
        mock.add(0, 1, "k", "good");
        mock.pollUntil(() -> committed(mock) == 2);
        assertThat(results(mock)).containsExactly("good");
        assertThat(mock.producer.history()).extracting(ProducerRecord::topic).containsExactly("orders.DLQ", "results");
        assertThat(begun).filteredOn("bad"::equals).hasSize(3);
    }

    @Test
    void recordThatSendsNothingIsNotRolledBack() {
        CountDownLatch quiet = new CountDownLatch(1);
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            if (value.equals("quiet")) {
                return begun.add(value);
            }
            Object sent = process(value);
            if (calls.incrementAndGet() == 1) {
                quiet.await();
                throw new Failed(Failed.Cause.UNDONE, "after it was sent: " + sent);
            }
            return sent;
        });
        mock.assign(0);
        mock.add(0, 0, "k1", "loud");
        mock.add(0, 1, "k2", "quiet");
        mock.pollUntil(() -> mock.counts.completed.sum() == 1);
        quiet.countDown();
        mock.pollUntil(() -> committed(mock) == 2);
        assertThat(begun).filteredOn("quiet"::equals).hasSize(1);
        assertThat(results(mock)).containsExactly("loud");
    }

    @Test
    void sendThatFailsIsNotHiddenByItsHandler() {
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            try {
                return process(value);
            } catch (KafkaException hidden) {
                return hidden;
            }
        });
        mock.producer.sendException = new RecordTooLargeException("too large");
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> begun.size() >= 2);
        mock.producer.sendException = null;
        mock.pollUntil(() -> committed(mock) == 1);
        assertThat(mock.producer.history()).hasSize(1);
        assertThat(mock.counts.completed.sum()).isEqualTo(1);
    }

    @Test
    void recordsAreProcessedAgainWhenTheirOffsetsAreRefused() {
        AtomicReference<MockMember> created = new AtomicReference<>();
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            if (calls.incrementAndGet() == 1) {
                created.get().producer.sendOffsetsToTransactionException = new CommitFailedException("generation");
            }
            return process(value);
        });
        created.set(mock);
        mock.assign(0);
        mock.add(0, 0, "k", "a");
        mock.add(0, 1, "k", "b");
        mock.pollUntil(() -> mock.counts.rolledBack.sum() >= 1);
        assertThat(results(mock)).isEmpty();
        mock.producer.sendOffsetsToTransactionException = null;
        mock.pollUntil(() -> committed(mock) == 2);
        assertThat(results(mock)).containsExactly("a", "b");
    }

    @Test
    void fencedProducerEndsTheMember() {
        MockMember mock = new MockMember(TRANSACTIONAL, this::process);
        mock.assign(0);
        mock.producer.commitTransactionException = new ProducerFencedException("fenced");
        mock.producer.abortTransactionException = new ProducerFencedException("fenced");
        mock.add(0, 0, "k", "a");
        assertThatThrownBy(() -> mock.pollUntil(() -> false)).isInstanceOf(ProducerFencedException.class);
        mock.member.onPartitionsRevoked(Set.of(MockMember.partition(0)));
        assertThat(results(mock)).isEmpty();
        assertThat(mock.queue.size()).isZero();
        assertThat(mock.counts.completed.sum()).isZero();
        assertThat(mock.producer.closed()).isTrue();
    }

    @Test
    void memberThatLosesAPartitionEndsAndSendsNothing() {
        CountDownLatch open = new CountDownLatch(1);
        AtomicReference<@Nullable Exception> refused = new AtomicReference<>();
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            begun.add(value);
            if (value.equals("slow")) {
                open.await();
            }
            try {
                return send(value);
            } catch (Unanswered ending) {
                refused.set(ending);
                throw ending;
            }
        });
        mock.assign(0, 1);
        mock.add(0, 0, "k", "slow");
        mock.add(1, 0, "k", "other");
        mock.pollUntil(() -> results(mock).contains("other") && begun.contains("slow"));
        mock.member.onPartitionsLost(Set.of(MockMember.partition(0)));
        open.countDown();
        mock.add(1, 1, "k", "last");
        assertThatThrownBy(() -> mock.pollUntil(() -> false)).hasMessage("the producer is closed");
        mock.member.onPartitionsRevoked(Set.of(MockMember.partition(1)));
        Records.await(() -> mock.prefetchWindow.inFlight() == 0);
        assertThat(results(mock)).containsExactly("other");
        assertThat(refused.get()).hasMessage("the source has given back the record");
        assertThat(mock.queue.size()).isZero();
    }

    @Test
    void errorOfUserCodeLeaksNothing() {
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            Object sent = process(value);
            if (value.startsWith("error") && calls.incrementAndGet() % 2 == 1) {
                throw new StackOverflowError("deep " + sent);
            }
            return sent;
        });
        mock.assign(0);
        for (int n = 0; n < 30; n++) {
            mock.add(0, n, null, (n % 10 == 0 ? "error" : "fine") + n);
        }
        mock.pollUntil(() -> committed(mock) == 30);
        List<String> results = results(mock);
        assertThat(results).doesNotHaveDuplicates();
        assertThat(results.size() + mock.counts.deadLetters.sum()).isGreaterThanOrEqualTo(30);
        assertThat(mock.prefetchWindow.inFlight()).isZero();
        assertThat(mock.queue.size()).isZero();
    }

    @Test
    void revocationCommitsWhatRuns() {
        CountDownLatch open = new CountDownLatch(1);
        MockMember mock = new MockMember(TRANSACTIONAL, value -> {
            begun.add(value);
            open.await();
            return send(value);
        });
        mock.assign(0, 1);
        mock.add(0, 0, "k", "a");
        mock.pollUntil(() -> begun.contains("a"));
        open.countDown();
        mock.assign(1);
        assertThat(results(mock)).containsExactly("a");
        assertThat(committed(mock)).isEqualTo(1);
        assertThat(CommitMetadata.decode(
                                1, Objects.requireNonNull(last(mock, 0)).metadata())
                        .isClosed())
                .isTrue();
    }

    @Test
    void shareGroupHasNoTransactions() {
        KafkaSourceBuilder built =
                KafkaSource.at(KafkaCluster.at("127.0.0.1:1")).topic("orders", "group");
        assertThatThrownBy(() -> built.shared().transactional().to(record -> record, record -> record, () -> 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("remove shared() or transactional()");
    }
}
