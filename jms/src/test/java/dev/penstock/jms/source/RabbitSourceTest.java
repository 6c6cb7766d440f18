package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.kit.RabbitProcess;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real RabbitMQ by AMQP 1.0: it has no transactions, and counts no deliveries. */
@Timeout(300)
class RabbitSourceTest {
    private static final AtomicInteger QUEUES = new AtomicInteger();

    @TempDir
    static Path folder;

    private static RabbitProcess rabbit;

    private String queue = "payments-" + QUEUES.incrementAndGet();

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                RabbitProcess.isInstalled(), "RabbitMQ was not found, on Debian: apt-get install rabbitmq-server");
        rabbit = RabbitProcess.start(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        if (rabbit != null) {
            rabbit.close();
        }
    }

    private static JmsBroker at() {
        return JmsBroker.at(rabbit.url()).user("guest", "guest");
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
    void carriesEachOnceAlsoWhenItIsKilledMeanwhile() throws Exception {
        queue = "/amq/queue/" + RabbitProcess.DURABLE;
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        CountDownLatch busy = new CountDownLatch(10);
        CountDownLatch goOn = new CountDownLatch(1);
        for (int n = 0; n < 60; n++) {
            send(JmsMessage.text("m" + n));
        }
        Service<JmsMessage, String> handler = message -> {
            carried.merge(message.text(), 1, Integer::sum);
            busy.countDown();
            goOn.await();
            return "done";
        };
        try (JmsSource source = payments()
                .deadLetter("dead")
                .key(JmsMessage.MESSAGE_ID)
                .inFlight(20)
                .to(handler, () -> 20)) {
            source.start();
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(source.outage()).isNull();
            rabbit.kill();
            await(() -> source.outage() != null);
            assertThat(source.outage()).startsWith("no messages from " + queue + " at amqp://127.0.0.1:");
            goOn.countDown();
            rabbit.restart();
            await(() -> source.outage() == null);
            await(() -> carried.size() == 60 && source.inFlight() == 0);
            assertThat(carried)
                    .hasSize(60)
                    .allSatisfy((text, times) -> assertThat(times).isOne());
            assertThat(source.counts()).containsEntry("dead_letters", 0L);
        }
    }

    @Test
    void whatIsRefusedIsADeadLetterAndWhoAskedIsAnswered() throws Exception {
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
    void whatAProcessDiedOverIsADeadLetterWhenItBearsNoKey() throws Exception {
        send(JmsMessage.text("m").withProperty("payment", "p-1"));
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            assertThat(session.createConsumer(session.createQueue(queue)).receive(60_000))
                    .isNotNull();
        }
        AtomicInteger carried = new AtomicInteger();
        try (JmsSource source = payments().to(message -> carried.incrementAndGet(), () -> 10)) {
            source.start();
            assertThat(next(queue + ".DLQ").getStringProperty("penstock_ending"))
                    .isEqualTo("unknown");
        }
        assertThat(carried).hasValue(0);
    }
}
