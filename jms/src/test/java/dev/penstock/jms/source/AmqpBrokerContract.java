package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.jms.kit.TestedBroker;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The behavior at every broker, each a real one in its own process: over AMQP 1.0, and Artemis over its own protocol.
 */
@Tag("full")
@Tag("full-only")
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AmqpBrokerContract {
    private static final List<String> QUEUES =
            List.of("once", "kill", "poison", "died", "reply", "lost", "batch", "buried", "large", "topic");

    TestedBroker broker;

    /** Starts the broker, with these queues. */
    abstract TestedBroker start(Path folder, List<String> queues) throws IOException;

    /** Whether a client reports which messages are delivered again; otherwise a source needs a key. */
    boolean reportsRedelivery() {
        return true;
    }

    /** Whether a reply to a missing queue is refused; otherwise the broker creates the queue, or drops the reply. */
    boolean refusesReplies() {
        return false;
    }

    /** Whether a dead letter and the acknowledgement of its message are one transaction. */
    boolean buriesOnce() {
        return false;
    }

    @BeforeAll
    void open(@TempDir Path folder) throws IOException {
        broker = start(
                folder,
                QUEUES.stream()
                        .flatMap(name -> List.of(name, name + ".DLQ", name + ".replies").stream())
                        .toList());
    }

    @AfterAll
    void close() throws IOException {
        if (broker != null) {
            broker.close();
        }
    }

    private JmsTarget to(String queue) {
        return JmsTarget.at(broker.at()).queue(broker.address(queue)).build();
    }

    JmsSourceBuilder from(String queue) {
        JmsSourceBuilder built = JmsSource.at(broker.at())
                .queue(broker.address(queue))
                .deadLetter(broker.address(queue + ".DLQ"))
                .backoff(Duration.ofMillis(1), Duration.ofMillis(2));
        return reportsRedelivery() ? built : built.key(JmsMessage.MESSAGE_ID);
    }

    private Message next(String queue) throws Exception {
        try (var client = broker.at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            var consumer = session.createConsumer(session.createQueue(broker.address(queue)));
            return Objects.requireNonNull(consumer.receive(60_000), "no message in " + queue);
        }
    }

    static void await(BooleanSupplier is) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!is.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(is.getAsBoolean()).isTrue();
    }

    private static void assertEachOnce(Map<String, Integer> carried, Set<String> answered) {
        assertThat(carried)
                .containsKeys(answered.toArray(new String[0]))
                .allSatisfy((text, times) -> assertThat(times).as(text).isOne());
    }

    @Test
    void receivesEveryMessageOnce() throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        Set<String> answered = ConcurrentHashMap.newKeySet();
        try (JmsTarget target = to("once");
                JmsSource source =
                        from("once").to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            for (int n = 0; n < 300; n++) {
                target.call(JmsMessage.text("m" + n));
                answered.add("m" + n);
            }
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == 300);
            assertEachOnce(carried, answered);
        }
    }

    /** The process keeps running and recognizes the messages in flight when the broker delivers them again. */
    @Test
    void processesAnsweredMessagesOnceWhenTheBrokerIsKilled() throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        Set<String> answered = ConcurrentHashMap.newKeySet();
        AtomicBoolean enough = new AtomicBoolean();
        Service<JmsMessage, String> handler = message -> {
            LockSupport.parkNanos(5_000_000);
            carried.merge(message.text(), 1, Integer::sum);
            return "done";
        };
        try (JmsTarget target = to("kill");
                JmsSource source = from("kill").key(JmsMessage.MESSAGE_ID).to(handler, () -> 20)) {
            source.start();
            Thread sending = Thread.ofVirtual().start(() -> {
                for (int n = 0; !enough.get(); n++) {
                    try {
                        target.call(JmsMessage.text("m" + n));
                        answered.add("m" + n);
                    } catch (Unanswered notAnswered) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }
            });
            await(() -> answered.size() > 200);
            broker.kill();
            await(() -> source.outage() != null);
            int before = answered.size();
            broker.restart();
            await(() -> answered.size() > before + 200 && source.outage() == null);
            enough.set(true);
            sending.join();
            await(() -> carried.keySet().containsAll(answered) && source.inFlight() == 0);
            assertEachOnce(carried, answered);
            assertThat(source.counts()).containsEntry("dead_letters", 0L);
        }
    }

    @Test
    void poisonMessageIsADeadLetterAfterItsAttempts() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Service<JmsMessage, String> handler = message -> {
            if (message.text().equals("bad")) {
                attempts.incrementAndGet();
                throw new Failed(Failed.Cause.CONNECT, "not now");
            }
            return "done";
        };
        try (JmsTarget target = to("poison");
                JmsSource source = from("poison").redeliver(3).to(handler, () -> 20)) {
            source.start();
            target.call(JmsMessage.text("bad"));
            target.call(JmsMessage.text("good"));
            Message letter = next("poison.DLQ");
            assertThat(letter.getBody(String.class)).isEqualTo("bad");
            assertThat(letter.getIntProperty("penstock_attempts")).isEqualTo(attempts.get());
            assertThat(attempts).hasValueBetween(3, 4);
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == 2);
        }
    }

    @Test
    void messageDuringWhichAProcessDiedIsADeadLetterWithoutAKey() throws Exception {
        try (JmsTarget target = to("died")) {
            target.call(JmsMessage.text("m"));
        }
        try (var client = broker.at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            var consumer = session.createConsumer(session.createQueue(broker.address("died")));
            assertThat(consumer.receive(60_000)).isNotNull();
        }
        AtomicInteger carried = new AtomicInteger();
        try (JmsSource source = from("died").to(message -> carried.incrementAndGet(), () -> 10)) {
            source.start();
            assertThat(next("died.DLQ").getStringProperty("penstock_ending")).isEqualTo("unknown");
        }
        assertThat(carried).hasValue(0);
    }

    @Test
    void sendsReplies() throws Exception {
        try (JmsSource source = from("reply").to(message -> "answer to " + message.text(), () -> 10)) {
            source.start();
            try (var client = broker.at().receiving(1);
                    Connection connection = client.open()) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Message request = session.createTextMessage("question");
                request.setJMSReplyTo(session.createQueue(broker.address("reply.replies")));
                request.setJMSCorrelationID("c-1");
                session.createProducer(session.createQueue(broker.address("reply")))
                        .send(request);
            }
            Message reply = next("reply.replies");
            assertThat(reply.getBody(String.class)).isEqualTo("answer to question");
            assertThat(reply.getJMSCorrelationID()).isEqualTo("c-1");
        }
    }

    @Test
    void sendsAWholeBatch() throws Exception {
        List<JmsMessage> many =
                IntStream.range(0, 200).mapToObj(n -> JmsMessage.text("m" + n)).toList();
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        Set<String> answered = ConcurrentHashMap.newKeySet();
        try (JmsBatch batch = JmsBatch.over(to("batch"));
                JmsSource source =
                        from("batch").to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            BatchEndings<JmsReceipt> endings = batch.call(many);
            for (int place = 0; place < many.size(); place++) {
                assertThat(endings.answer(place).messageId()).isNotNull();
                answered.add(many.get(place).text());
            }
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == 200);
            assertEachOnce(carried, answered);
        }
    }

    /** A requester that is gone delays nobody. */
    @Test
    void replyWithoutAReceiverDelaysNothing() throws Exception {
        try (JmsSource source = from("lost").to(message -> "answer", () -> 10)) {
            source.start();
            try (var client = broker.at().receiving(1);
                    Connection connection = client.open()) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                for (int n = 0; n < 20; n++) {
                    Message request = session.createTextMessage("question");
                    request.setJMSReplyTo(session.createQueue(broker.address("nobody.is.there")));
                    session.createProducer(session.createQueue(broker.address("lost")))
                            .send(request);
                }
            }
            await(() -> source.counts().getOrDefault("acknowledged", 0L) == 20);
            assertThat(source.outage()).isNull();
            assertThat(source.counts())
                    .containsEntry("dead_letters", 0L)
                    .containsEntry("replies_lost", refusesReplies() ? 20L : 0L);
        }
    }

    /** A process dies between sending a dead letter and acknowledging its message, or nearby. */
    @Test
    void killedProcessLosesNoDeadLetter() throws Exception {
        int count = 2_000;
        try (JmsBatch batch = JmsBatch.over(to("buried"))) {
            BatchEndings<JmsReceipt> sent = batch.call(IntStream.range(0, count)
                    .mapToObj(n -> JmsMessage.text("m" + n).withProperty("n", "k" + n))
                    .toList());
            for (int place = 0; place < count; place++) {
                assertThat(sent.answer(place).messageId()).isNotNull();
            }
        }
        Map<String, Integer> buried = new ConcurrentHashMap<>();
        try (JmsSource deadLetterSender = JmsSource.at(broker.at())
                .queue(broker.address("buried.DLQ"))
                .deadLetter(broker.address("buried.replies"))
                .key(JmsMessage.FIRST_ID)
                .to(letter -> buried.merge(letter.text(), 1, Integer::sum), () -> 50)) {
            deadLetterSender.start();
            for (int kills = 1; kills <= 4; kills++) {
                Process dying = dyingSource();
                int before = buried.size();
                await(() -> buried.size() > before + 50 || buried.size() == count);
                dying.destroyForcibly().onExit().join();
            }
            Process last = dyingSource();
            await(() -> buried.size() == count);
            last.destroyForcibly().onExit().join();
            await(() -> deadLetterSender.inFlight() == 0);
        }
        long twice = buried.values().stream().filter(times -> times > 1).count();
        System.out.println(
                getClass().getSimpleName() + ": " + count + " dead letters over 4 kills, " + twice + " twice");
        if (buriesOnce()) {
            assertThat(twice).isZero();
        }
    }

    private Process dyingSource() throws IOException {
        Process process = new ProcessBuilder(ChildJvm.command(
                        List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                        DyingSource.class,
                        broker.at().where(),
                        broker.address("buried"),
                        broker.address("buried.DLQ")))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        while (true) {
            String line = Objects.requireNonNull(process.inputReader().readLine(), "it ended");
            if (line.equals("@started")) {
                return process;
            }
        }
    }

    @Test
    void tooLargeMessageIsNotLostAndDelaysNothing() throws Exception {
        int size = 9 << 20;
        try (var client = broker.at().receiving(1);
                Connection connection = client.open()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            var producer = session.createProducer(session.createQueue(broker.address("large")));
            producer.send(session.createTextMessage("before"));
            BytesMessage large = session.createBytesMessage();
            large.writeBytes(new byte[size]);
            producer.send(large);
            producer.send(session.createTextMessage("after"));
        }
        Set<String> carried = ConcurrentHashMap.newKeySet();
        try (JmsSource source = from("large").to(message -> carried.add(message.text()), () -> 10)) {
            source.start();
            await(() -> carried.size() == 2);
            await(() -> source.counts().getOrDefault("dead_letters", 0L) == 1);
        }
        assertThat(carried).containsExactlyInAnyOrder("before", "after");
        BytesMessage whole = (BytesMessage) next("large.DLQ");
        assertThat(whole.getBodyLength()).isEqualTo(size);
    }
}
