package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The outcomes of messages at a real broker, for every kind of client. */
@Timeout(300)
abstract class JmsSourceContract {
    private static final long SOON_MS = 60_000;
    private static final AtomicInteger QUEUES = new AtomicInteger();

    @TempDir
    static Path folder;

    /** One broker for all tests, each with its own queue: a broker takes a second to start. */
    private static EmbeddedBroker broker;

    final String queue = "payments-" + QUEUES.incrementAndGet();
    private final List<JmsSource> sources = new ArrayList<>();

    /** The URL for the client under test. */
    abstract String url(EmbeddedBroker started);

    final String url() {
        return url(broker);
    }

    /** The broker as the source accesses it. */
    JmsBroker from() throws Exception {
        return at();
    }

    @BeforeAll
    static void start() throws Exception {
        broker = EmbeddedBroker.on(folder, "127.0.0.1", 0);
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @AfterEach
    void close() {
        sources.forEach(JmsSource::close);
    }

    final JmsBroker at() {
        return JmsBroker.at(url(broker));
    }

    final JmsSourceBuilder payments() throws Exception {
        return JmsSource.at(from()).queue(queue).backoff(Duration.ofMillis(1), Duration.ofMillis(2));
    }

    final void run(JmsSource built) throws Exception {
        sources.add(built);
        built.start();
    }

    final JmsSource source() {
        return sources.getLast();
    }

    private void send(JmsMessage... messages) throws Exception {
        try (JmsTarget target = JmsTarget.at(at()).queue(queue).build()) {
            for (JmsMessage message : messages) {
                target.call(message);
            }
        }
    }

    private static JmsMessage[] numbered(int count) {
        JmsMessage[] messages = new JmsMessage[count];
        for (int n = 0; n < count; n++) {
            messages[n] = JmsMessage.text("m" + n);
        }
        return messages;
    }

    /** The next message of a queue, unchanged; fails when none arrives soon. */
    final Message next(String from) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(from));
            return Objects.requireNonNull(consumer.receive(SOON_MS), "no message in " + from);
        }
    }

    final void awaitEmpty() throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOON_MS);
        while ((broker.count(queue) > 0 || source().inFlight() > 0) && System.nanoTime() < end) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(broker.count(queue))
                .as(() -> source().counts() + " in hand " + source().inFlight())
                .isZero();
    }

    @Test
    void processesAndAcknowledgesEveryMessageOnce() throws Exception {
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        send(numbered(300));
        run(payments().inFlight(50).to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 50));
        awaitEmpty();
        assertThat(carried)
                .hasSize(300)
                .allSatisfy((text, times) -> assertThat(times).isOne());
        assertThat(source().inFlightMax()).isBetween(1, 50);
        assertThat(source().inFlight()).isZero();
    }

    /** Artemis streams bodies above 100 KB, and discards them with the next receive. */
    @Test
    void processesLargeBodies() throws Exception {
        JmsMessage[] messages = new JmsMessage[20];
        for (int n = 0; n < messages.length; n++) {
            byte[] body = new byte[300_000 + n];
            Arrays.fill(body, (byte) (n + 1));
            messages[n] = JmsMessage.bytes(body);
        }
        Map<Integer, Boolean> whole = new ConcurrentHashMap<>();
        send(messages);
        run(payments()
                .inFlight(20)
                .to(
                        message -> {
                            byte[] body = message.body();
                            int n = body.length - 300_000;
                            whole.merge(n, Arrays.equals(body, messages[n].body()), (one, other) -> false);
                            return "done";
                        },
                        () -> 20));
        awaitEmpty();
        assertThat(whole).hasSize(messages.length).doesNotContainValue(false);
    }

    @Test
    void holdsNoMoreThanTheFlowCanProcess() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger most = new AtomicInteger();
        AtomicInteger now = new AtomicInteger();
        CountDownLatch busy = new CountDownLatch(4);
        Flow<JmsMessage, String> flow = Flow.named("payments").concurrency(4).to(message -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            busy.countDown();
            open.await();
            now.decrementAndGet();
            return "done";
        });
        send(numbered(40));
        run(payments().inFlight(5).to(flow));
        assertThat(busy.await(SOON_MS, TimeUnit.MILLISECONDS)).isTrue();
        open.countDown();
        awaitEmpty();
        assertThat(most).hasValue(4);
        assertThat(source().inFlightMax()).isBetween(4, 5);
        assertThat(flow.accounting().answered()).isEqualTo(40);
    }

    @Test
    void retriesRejectedMessagesForEver() throws Exception {
        AtomicInteger offered = new AtomicInteger();
        send(JmsMessage.text("m"));
        run(payments()
                .to(
                        message -> {
                            if (offered.incrementAndGet() <= 7) {
                                throw new Rejected(Rejected.Cause.LIMIT, "full", Duration.ofMillis(1), null);
                            }
                            return "done";
                        },
                        () -> 10));
        awaitEmpty();
        assertThat(offered).hasValue(8);
        assertThat(source().counts()).containsEntry("dead_letters", 0L).containsEntry("tried_again", 7L);
    }

    @Test
    void failedMessageIsRetriedAndThenADeadLetter() throws Exception {
        AtomicInteger tried = new AtomicInteger();
        send(JmsMessage.text("bad").withProperty("customer", 7).withCorrelationId("c-1"));
        run(payments()
                .redeliver(3)
                .to(
                        message -> {
                            tried.incrementAndGet();
                            throw new Failed(Failed.Cause.CONNECT, "nobody listens");
                        },
                        () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(tried).hasValue(3);
        assertThat(letter.getBody(String.class)).isEqualTo("bad");
        assertThat(letter.getIntProperty("customer")).isEqualTo(7);
        assertThat(letter.getJMSCorrelationID()).isEqualTo("c-1");
        assertThat(letter.getStringProperty("penstock_ending")).isEqualTo("failed");
        assertThat(letter.getStringProperty("penstock_cause")).isEqualTo("connect");
        assertThat(letter.getStringProperty("penstock_reason")).isEqualTo("nobody listens");
        assertThat(letter.getIntProperty("penstock_attempts")).isEqualTo(3);
        assertThat(letter.getStringProperty("penstock_queue")).isEqualTo(queue);
    }

    @Test
    void deadLetterHasTheBytesThatWereSent() throws Exception {
        byte[] body = {1, 0, 2};
        send(JmsMessage.bytes(body));
        run(payments()
                .redeliver(2)
                .to(
                        message -> {
                            throw new Failed(Failed.Cause.CONNECT, message.body().length + " bytes");
                        },
                        () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(letter.getStringProperty("penstock_reason")).isEqualTo("3 bytes");
        assertThat(letter.getBody(byte[].class)).isEqualTo(body);
    }

    @Test
    void refusedMessageIsADeadLetterAndOthersContinue() throws Exception {
        List<String> carried = new ArrayList<>();
        send(JmsMessage.text("bad"), JmsMessage.text("good"));
        run(payments()
                .inFlight(1)
                .to(
                        message -> {
                            carried.add(message.text());
                            if (message.text().equals("bad")) {
                                throw new Failed(Failed.Cause.REFUSED, "never");
                            }
                            return "done";
                        },
                        () -> 10));
        assertThat(next(queue + ".DLQ").getBody(String.class)).isEqualTo("bad");
        awaitEmpty();
        assertThat(carried).containsExactly("bad", "good");
    }

    @Test
    void unknownMessageIsADeadLetterUnlessItHasAKey() throws Exception {
        AtomicInteger tried = new AtomicInteger();
        Service<JmsMessage, String> handler = message -> {
            if (tried.incrementAndGet() == 2) {
                return "done";
            }
            throw new Unknown(Unknown.Cause.TIMEOUT, "no answer");
        };
        send(JmsMessage.text("keyless"));
        run(payments().key("payment").to(handler, () -> 10));
        assertThat(next(queue + ".DLQ").getStringProperty("penstock_ending")).isEqualTo("unknown");
        tried.set(0);
        send(JmsMessage.text("keyed").withProperty("payment", "p-1"));
        awaitEmpty();
        assertThat(tried).hasValue(2);
        assertThat(source().counts()).containsEntry("dead_letters", 1L).containsEntry("tried_again", 1L);
    }

    @Test
    void sendsReplies() throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Destination replies = session.createTemporaryQueue();
            Message request = session.createTextMessage("ping");
            request.setJMSReplyTo(replies);
            session.createProducer(session.createQueue(queue)).send(request);
            run(payments().to(message -> JmsMessage.text(message.text() + "-pong"), () -> 10));
            Message reply = session.createConsumer(replies).receive(SOON_MS);
            assertThat(reply.getBody(String.class)).isEqualTo("ping-pong");
            assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
        }
        awaitEmpty();
    }

    @Test
    void unreadableRequestIsADeadLetterAndItsSenderGetsAReply() throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Destination replies = session.createTemporaryQueue();
            MapMessage request = session.createMapMessage();
            request.setString("amount", "7");
            request.setJMSReplyTo(replies);
            session.createProducer(session.createQueue(queue)).send(request);
            run(payments().to(message -> "done", () -> 10));
            Message reply = session.createConsumer(replies).receive(SOON_MS);
            assertThat(reply.getStringProperty("penstock_ending")).isEqualTo("failed");
            assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
        }
        next(queue + ".DLQ");
        awaitEmpty();
    }

    enum Unreadable {
        MAP,
        OBJECT,
        STREAM;

        Message of(Session session) throws Exception {
            return switch (this) {
                case MAP -> {
                    MapMessage map = session.createMapMessage();
                    map.setString("amount", "7");
                    yield map;
                }
                case OBJECT -> session.createObjectMessage(new java.util.Date(7));
                case STREAM -> {
                    StreamMessage stream = session.createStreamMessage();
                    stream.writeString("seven");
                    yield stream;
                }
            };
        }

        boolean isIn(Message letter) throws Exception {
            return switch (this) {
                case MAP -> ((MapMessage) letter).getString("amount").equals("7");
                case OBJECT -> letter instanceof ObjectMessage;
                case STREAM -> ((StreamMessage) letter).readString().equals("seven");
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void unreadableMessageIsADeadLetterWithBodyAndReason(Unreadable kind) throws Exception {
        String id = sendOne(kind::of);
        run(payments().to(message -> "done", () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(kind.isIn(letter)).isTrue();
        assertThat(letter.getStringProperty("penstock_reason")).contains("text or bytes");
        assertDeadLetter(letter, id);
    }

    @Test
    void deadLetterOfAnEmptyMessageHasTheReason() throws Exception {
        String id = sendOne(Session::createMessage);
        run(payments()
                .to(
                        message -> {
                            throw new Failed(Failed.Cause.REFUSED, message.body().length + " bytes");
                        },
                        () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(letter.getStringProperty("penstock_reason")).isEqualTo("0 bytes");
        assertDeadLetter(letter, id);
    }

    /** AMQP senders may use any property name. */
    @Test
    void deadLetterOmitsInvalidProperties() throws Exception {
        String id = sendOne(session -> {
            Message message = session.createTextMessage("m");
            switch (message) {
                case ActiveMQMessage artemis ->
                    artemis.getCoreMessage().putStringProperty(SimpleString.of("NOT"), SimpleString.of("x"));
                case org.apache.qpid.jms.message.JmsMessage amqp -> {
                    amqp.setValidatePropertyNames(false);
                    amqp.setStringProperty("NOT", "x");
                }
                default -> throw new IllegalStateException(message.getClass().getName());
            }
            return message;
        });
        run(payments()
                .to(
                        message -> {
                            throw new Failed(Failed.Cause.REFUSED, message.property("NOT") + " is there");
                        },
                        () -> 10));
        Message letter = next(queue + ".DLQ");
        awaitEmpty();
        assertThat(letter.getStringProperty("penstock_reason")).endsWith(" is there");
        assertThat(letter.propertyExists("NOT")).isFalse();
        assertDeadLetter(letter, id);
    }

    final void assertDeadLetter(Message letter, String id) throws Exception {
        assertThat(letter.getStringProperty("penstock_ending")).isEqualTo("failed");
        assertThat(letter.getStringProperty("penstock_cause")).isEqualTo("refused");
        assertThat(letter.getStringProperty("penstock_queue")).isEqualTo(queue);
        assertThat(letter.getStringProperty("penstock_message_id")).isEqualTo(id);
        assertThat(letter.propertyExists("penstock_attempts")).isTrue();
        assertThat(letter.getIntProperty("customer")).isEqualTo(7);
    }

    /** Creates a message in a session. */
    interface Making {
        Message in(Session session) throws Exception;
    }

    /** Sends a message with a property; returns its id. */
    final String sendOne(Making making) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            Message message = making.in(session);
            message.setIntProperty("customer", 7);
            session.createProducer(session.createQueue(queue)).send(message);
            return message.getJMSMessageID();
        }
    }

    @Test
    void processesMessagesOfAGroupInOrder() throws Exception {
        List<JmsMessage> messages = new ArrayList<>();
        for (int n = 0; n < 60; n++) {
            messages.add(JmsMessage.text(Integer.toString(n)).inGroup("g" + n % 3));
        }
        Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
        send(messages.toArray(JmsMessage[]::new));
        run(payments()
                .inOrder(JmsMessage.GROUP)
                .to(
                        message -> seen.computeIfAbsent(
                                        Objects.requireNonNull(message.group()), group -> new ArrayList<>())
                                .add(Integer.valueOf(message.text())),
                        () -> 30));
        awaitEmpty();
        assertThat(seen)
                .hasSize(3)
                .allSatisfy((group, numbers) -> assertThat(numbers).hasSize(20).isSorted());
    }

    @Test
    void closeGivesUnfinishedMessagesBack() throws Exception {
        CountDownLatch begun = new CountDownLatch(3);
        send(numbered(3));
        run(payments()
                .to(
                        message -> {
                            begun.countDown();
                            throw new Rejected(Rejected.Cause.LIMIT, "full", Duration.ofHours(1), null);
                        },
                        () -> 10));
        assertThat(begun.await(SOON_MS, TimeUnit.MILLISECONDS)).isTrue();
        source().stopAccepting();
        source().close();
        assertThat(broker.count(queue))
                .as(() -> source().counts() + " dead " + broker.count(queue + ".DLQ"))
                .isEqualTo(3);
        Map<String, Integer> carried = new ConcurrentHashMap<>();
        run(payments().to(message -> carried.merge(message.text(), message.deliveries(), Integer::sum), () -> 10));
        awaitEmpty();
        assertThat(carried).as(() -> source().counts().toString()).hasSize(3);
    }

    @Test
    void retriesRecordingAnEndingBeforeAcknowledging() throws Exception {
        AtomicInteger carried = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        send(JmsMessage.text("m"));
        run(payments()
                .onEnded((message, answer, why) -> {
                    assertThat(broker.count(queue)).isOne();
                    if (told.incrementAndGet() == 1) {
                        throw new IllegalStateException("the book is closed");
                    }
                    assertThat(answer).isEqualTo("done");
                })
                .to(
                        message -> {
                            carried.incrementAndGet();
                            return "done";
                        },
                        () -> 10));
        awaitEmpty();
        assertThat(carried).hasValue(1);
        assertThat(told).hasValue(2);
    }
}
