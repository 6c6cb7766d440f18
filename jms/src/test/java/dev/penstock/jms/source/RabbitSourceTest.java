package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.kit.RabbitProcess;
import dev.penstock.kit.program.NeedsProgram;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real RabbitMQ over AMQP 1.0: it has no transactions and does not count deliveries. */
@Tag("full")
@Timeout(300)
@NeedsProgram("rabbitmq-server")
class RabbitSourceTest {
    private static final String DECLARED = "declared";
    private static final AtomicInteger QUEUES = new AtomicInteger();

    @TempDir
    static Path folder;

    private static RabbitProcess rabbit;

    private final String queue = "payments-" + QUEUES.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        rabbit = RabbitProcess.start(folder, List.of(DECLARED));
    }

    @AfterAll
    static void stop() throws Exception {
        rabbit.close();
    }

    private static JmsBroker at() {
        return rabbit.at();
    }

    private void send(JmsMessage... messages) throws Exception {
        try (JmsTarget target = JmsTarget.at(at()).queue(queue).build()) {
            for (JmsMessage message : messages) {
                target.call(message);
            }
        }
    }

    private JmsSourceBuilder payments() {
        return JmsSource.at(at()).queue(queue).backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    }

    private static Message next(String from) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(from));
            return Objects.requireNonNull(consumer.receive(60_000), "no message in " + from);
        }
    }

    private static void await(BooleanSupplier is) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!is.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(is.getAsBoolean()).isTrue();
    }

    @Test
    void refusedRequestIsADeadLetterAndOthersGetReplies() throws Exception {
        send(
                JmsMessage.text("bad").withCorrelationId("c-1"),
                JmsMessage.text("good").withCorrelationId("c-2"));
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Message request = session.createTextMessage("question");
            request.setJMSReplyTo(session.createQueue(queue + "-replies"));
            request.setJMSCorrelationID("c-3");
            session.createProducer(session.createQueue(queue)).send(request);
        }
        Service<JmsMessage, String> handler = message -> {
            if (message.text().equals("bad")) {
                throw new Failed(Failed.Cause.REFUSED, "never");
            }
            return "answer";
        };
        try (JmsSource source = payments().to(handler, () -> 10)) {
            source.start();
            Message letter = next(queue + ".DLQ");
            assertThat(letter.getBody(String.class)).isEqualTo("bad");
            assertThat(letter.getStringProperty("penstock_reason")).isEqualTo("never");
            assertThat(letter.getStringProperty(JmsMessage.FIRST_ID)).startsWith("ID:");
            Message reply = next(queue + "-replies");
            assertThat(reply.getBody(String.class)).isEqualTo("answer");
            assertThat(reply.getJMSCorrelationID()).isEqualTo("c-3");
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == 3);
            assertThat(source.counts()).containsEntry("replies", 1L).containsEntry("replies_lost", 0L);
        }
    }

    @Test
    @Tag("full-only")
    void confirmsABatchMessageByMessage() throws Exception {
        List<JmsMessage> many =
                IntStream.range(0, 100).mapToObj(n -> JmsMessage.text("m" + n)).toList();
        JmsTarget target = JmsTarget.at(at()).queue(rabbit.address(DECLARED)).build();
        try (JmsBatch batch = JmsBatch.over(target)) {
            BatchEndings<JmsReceipt> endings = batch.call(many);
            for (int place = 0; place < many.size(); place++) {
                assertThat(endings.answer(place).messageId()).startsWith("ID:");
            }
        }
        Set<String> carried = ConcurrentHashMap.newKeySet();
        try (JmsSource source = declared()
                .key(JmsMessage.MESSAGE_ID)
                .deadLetter(queue + ".DLQ")
                .to(message -> carried.add(message.text()), () -> 10)) {
            source.start();
            await(() -> carried.size() == 100);
        }
    }

    @Test
    void topicReachesEachSubscriber() throws Exception {
        Set<String> one = ConcurrentHashMap.newKeySet();
        Set<String> other = ConcurrentHashMap.newKeySet();
        try (JmsTarget target = JmsTarget.at(at()).topic("/topic/" + queue).build();
                JmsSource first = topic().to(message -> one.add(message.text()), () -> 10);
                JmsSource second = topic().to(message -> other.add(message.text()), () -> 10)) {
            first.start();
            second.start();
            await(() -> first.outage() == null && second.outage() == null);
            for (int n = 0; n < 50; n++) {
                target.call(JmsMessage.text("m" + n));
            }
            await(() -> one.size() == 50 && other.size() == 50);
        }
    }

    private JmsSourceBuilder topic() {
        return JmsSource.at(at())
                .topic("/topic/" + queue)
                .key(JmsMessage.MESSAGE_ID)
                .deadLetter(queue + ".DLQ");
    }

    @Test
    void refusesWhatRabbitMqLacks() {
        JmsSourceBuilder selecting = declared().key("payment").selector("n = 1");
        JmsSourceBuilder durable = topic().durable("billing");
        for (JmsSourceBuilder built : List.of(selecting, durable, declared())) {
            assertThatThrownBy(() -> built.to(message -> "done", () -> 10))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .containsAnyOf("ignores selectors", "keeps no subscription billing", "set a 'key'");
        }
    }

    private static JmsSourceBuilder declared() {
        return JmsSource.at(at()).queue(rabbit.address(DECLARED));
    }

    @Test
    @Tag("full-only")
    void rejectsAMissingQueue() throws Exception {
        JmsTarget target = JmsTarget.at(at()).queue("/amq/queue/nowhere").build();
        try (JmsBatch batch = JmsBatch.over(target)) {
            assertThatThrownBy(() -> target.call(JmsMessage.text("m")))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED));
            assertThatThrownBy(() -> batch.call(List.of(JmsMessage.text("m"), JmsMessage.text("n"))))
                    .isInstanceOf(Failed.class);
        }
    }

    @Test
    @Tag("full-only")
    void missingDeadLetterQueueIsAnOutage() throws Exception {
        try (JmsSource source = payments().deadLetter("/amq/queue/nowhere").to(message -> "done", () -> 10)) {
            source.start();
            await(() -> String.valueOf(source.outage()).contains("nowhere"));
            assertThat(source.outage()).startsWith("no messages from " + queue);
        }
    }
}
