package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.StablePort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A broker that stops, dies and comes back. */
class KafkaTargetFaultsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
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

    @AfterEach
    void resumeBroker() throws Exception {
        broker.resume();
    }

    private static String newTopic() throws Exception {
        String topic = "fault-" + TOPICS.incrementAndGet();
        broker.createTopic(topic, 1, Map.of());
        return topic;
    }

    private static KafkaTarget target(String topic) {
        return KafkaTarget.at(KafkaCluster.at(broker.servers())).topic(topic).build();
    }

    private static KafkaReceipt call(KafkaTarget target, String value, Duration deadline) throws Exception {
        return Deadline.in(deadline).call(() -> target.call(KafkaRecord.text(value)));
    }

    private static Unanswered ending(KafkaTarget target, String value, Duration deadline) {
        return catchThrowableOfType(Unanswered.class, () -> call(target, value, deadline));
    }

    private static void callUntilAnswered(KafkaTarget target, String value) throws Exception {
        while (true) {
            try {
                call(target, value, LONG);
                return;
            } catch (Unanswered notYet) {
                continue;
            }
        }
    }

    @Test
    void suspendedBrokerLeavesAnUnknownRecordThatIsFoundLater() throws Exception {
        String topic = newTopic();
        try (KafkaTarget target = target(topic)) {
            call(target, "first", LONG);
            broker.suspend();
            assertThat(ending(target, "unknown", Duration.ofMillis(500)).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            broker.resume();
            assertThat(TopicContents.valuesUntil(broker.servers(), topic, "unknown"))
                    .containsExactly("first", "unknown");
        }
    }

    @Test
    void recordBehindAnUnansweredOneIsWithdrawnAndNeverSent() throws Exception {
        String topic = newTopic();
        // Another request is not sent before the first one is answered.
        KafkaCluster oneByOne = KafkaCluster.at(broker.servers()).with("max.in.flight.requests.per.connection", "1");
        try (KafkaTarget target = KafkaTarget.at(oneByOne).topic(topic).build()) {
            call(target, "first", LONG);
            broker.suspend();
            assertThat(ending(target, "unknown", Duration.ofSeconds(1)).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            Unanswered withdrawn = ending(target, "withdrawn", Duration.ofSeconds(1));
            assertThat(withdrawn.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(withdrawn).hasMessageContaining("withdrawn");
            broker.resume();
            callUntilAnswered(target, "last");
            assertThat(TopicContents.valuesUntil(broker.servers(), topic, "last"))
                    .doesNotContain("withdrawn");
            assertThat(target.connections()).containsEntry("opened", 2L);
        }
    }

    @Test
    void fullBufferRejectsAtOnceAndWhatItHoldsIsAnswered() throws Exception {
        String topic = newTopic();
        // Room for two records of 15 KB.
        KafkaCluster small = KafkaCluster.at(broker.servers()).with("buffer.memory", "40000");
        try (KafkaTarget target = KafkaTarget.at(small).topic(topic).build();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            call(target, "first", LONG);
            broker.suspend();
            List<Future<KafkaReceipt>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(callers.submit(() -> call(target, "x".repeat(15_000), LONG)));
            }
            while (calls.stream().filter(Future::isDone).count() < 2) {
                Thread.onSpinWait();
            }
            broker.resume();
            int answered = 0;
            for (Future<KafkaReceipt> call : calls) {
                try {
                    call.get();
                    answered++;
                } catch (ExecutionException ended) {
                    assertThat(ended.getCause()).isInstanceOf(Rejected.class).hasMessageContaining("buffer is full");
                }
            }
            assertThat(answered).isEqualTo(2);
        }
    }

    @Test
    void suspendedBrokerBeforeFirstContactRejects() throws Exception {
        String topic = newTopic();
        broker.suspend();
        try (KafkaTarget target = target(topic)) {
            Unanswered ending = ending(target, "x", Duration.ofSeconds(1));
            assertThat(ending.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(ending).hasMessageContaining("partitions");
        }
    }

    @Test
    void noBrokerFailsBeforeAnythingIsSentAndThenAtOnce() throws Exception {
        KafkaCluster nowhere = KafkaCluster.at("127.0.0.1:" + StablePort.free());
        try (KafkaTarget target = KafkaTarget.at(nowhere).topic("t").build()) {
            for (Duration deadline : List.of(Duration.ofMillis(500), LONG, LONG)) {
                Unanswered ending = ending(target, "x", deadline);
                assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
                assertThat(ending).hasMessageContaining("no broker accepted a connection");
            }
            assertThat(target.connections()).containsEntry("opened", 0L);
        }
    }

    @Test
    void killedBrokerIsNotUnknownForLongAndItsSuccessorIsFound() throws Exception {
        String topic = newTopic();
        try (KafkaTarget target = target(topic)) {
            call(target, "first", LONG);
            broker.kill();
            ending(target, "lost or withdrawn", Duration.ofMillis(1500));
            assertThat(ending(target, "withdrawn", Duration.ofMillis(1500))).isNotInstanceOf(Unknown.class);
            assertThat(ending(target, "withdrawn", Duration.ofMillis(1500))).isNotInstanceOf(Unknown.class);
            broker.restart();
            callUntilAnswered(target, "last");
            assertThat(TopicContents.valuesUntil(broker.servers(), topic, "last"))
                    .startsWith("first")
                    .doesNotContain("withdrawn");
        }
    }

    @Test
    void closingEndsTheCallsOfASuspendedBroker() throws Exception {
        String topic = newTopic();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            KafkaTarget target = target(topic);
            call(target, "first", LONG);
            broker.suspend();
            Future<Unanswered> waiting = callers.submit(() -> ending(target, "x", LONG));
            target.close();
            // Whether it had begun to send, was about to, or came too late.
            assertThat(waiting.get().why()).isIn(Unknown.Cause.CLOSED, Failed.Cause.CONNECT, Rejected.Cause.DRAINING);
        }
    }
}
