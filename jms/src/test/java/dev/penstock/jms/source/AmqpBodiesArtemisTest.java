package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Service;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import dev.penstock.jms.kit.AmqpSender;
import dev.penstock.kit.StablePort;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.AmqpSequence;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.Header;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of AMQP clients that are no JMS clients, at an Artemis that moves a message away after its delivery attempts. */
@Timeout(300)
class AmqpBodiesArtemisTest {
    private static final long SOON_NANOS = 60_000_000_000L;
    private static final String BROKER_DEAD_LETTERS = "broker.DLQ";
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private static ActiveMQServer server;
    private static int port;

    private final String queue = "payments-" + QUEUES.incrementAndGet();
    private final Queue<JmsMessage> called = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() throws Exception {
        port = StablePort.free();
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.addAcceptorConfiguration("all", "tcp://127.0.0.1:" + port);
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        // Enough for the messages beside one that cannot be converted, which are delivered again with
                        // it.
                        .setMaxDeliveryAttempts(6)
                        .setAutoDeleteQueues(false)
                        .setAutoCreateDeadLetterResources(true)
                        .setDeadLetterAddress(SimpleString.of(BROKER_DEAD_LETTERS)));
        server = ActiveMQServers.newActiveMQServer(configuration, null, null, false);
        server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static Properties id(Object id) {
        Properties properties = new Properties();
        properties.setMessageId(id);
        return properties;
    }

    private static Data data(String text) {
        return new Data(new Binary(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Good messages m-1 to m-3, the given one if any, and m-4 to m-6. */
    private void send(Section... sections) throws Exception {
        try (AmqpSender sender = AmqpSender.to(port, queue)) {
            for (int number = 1; number <= 6; number++) {
                if (number == 4 && sections.length > 0) {
                    sender.send((Object[]) sections);
                }
                sender.send(id("m-" + number), new AmqpValue("m-" + number));
            }
        }
    }

    private JmsSource source(String protocol) {
        Service<JmsMessage, String> handler = message -> {
            called.add(message);
            return "done";
        };
        return JmsSource.at(JmsBroker.at(protocol + "://127.0.0.1:" + port))
                .queue(queue)
                .key(JmsMessage.MESSAGE_ID)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(2))
                .to(handler, () -> 10);
    }

    private static long count(String queue) {
        var found = server.locateQueue(SimpleString.of(queue));
        return found == null ? 0 : found.getMessageCount();
    }

    private static void until(JmsSource source, BooleanSupplier holds) {
        long end = System.nanoTime() + SOON_NANOS;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - end)
                    .as(() -> source.counts() + ", " + source.outage())
                    .isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    static Stream<Arguments> unsupported() {
        List<Section> bodies = List.of(
                new AmqpSequence(List.of(1, "two")),
                new AmqpValue(42),
                new AmqpValue(true),
                new AmqpValue(UnsignedLong.valueOf(7)),
                new AmqpValue(Map.of("a", 1)),
                new AmqpValue(List.of(1, 2)),
                new AmqpValue(new int[] {1, 2}));
        return Stream.of("tcp", "amqp").flatMap(protocol -> bodies.stream().map(body -> Arguments.of(protocol, body)));
    }

    @ParameterizedTest
    @MethodSource("unsupported")
    void bodyThatIsNeitherTextNorBytesIsOneDeadLetter(String protocol, Section body) throws Exception {
        send(id("odd"), body);
        oneIsADeadLetter(protocol);
    }

    @Test
    void withAHeaderItNeedsNoId() throws Exception {
        Header header = new Header();
        header.setDurable(true);
        send(header, new AmqpValue(42));
        oneIsADeadLetter("tcp");
    }

    /** Artemis may deliver bytes of a buffer's other parts as the encoding of a number. */
    @Test
    void bytesThatAreNotTheEncodingAreADeadLetterToo() throws Exception {
        try (var factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
                JMSContext context = factory.createContext()) {
            BytesMessage other = context.createBytesMessage();
            other.writeBytes("other".getBytes(StandardCharsets.UTF_8));
            other.setStringProperty("NATIVE_MESSAGE_ID", "odd");
            context.createProducer().send(context.createQueue(queue), other);
        }
        send();
        oneIsADeadLetter("tcp");
    }

    private void oneIsADeadLetter(String protocol) throws Exception {
        JmsSource source = source(protocol);
        try (source) {
            source.start();
            until(source, () -> count(queue) == 0 && count(queue + ".DLQ") == 1);
            assertThat(source.counts()).containsEntry("dead_letters", 1L).containsEntry("received", 7L);
        }
        assertThat(called)
                .extracting(JmsMessage::text)
                .containsExactlyInAnyOrder("m-1", "m-2", "m-3", "m-4", "m-5", "m-6");
    }

    static Stream<Arguments> supported() {
        return Stream.of("tcp", "amqp")
                .flatMap(protocol -> Stream.of(
                        Arguments.of(protocol, "one", data("one")),
                        Arguments.of(
                                protocol, "one", new AmqpValue(new Binary("one".getBytes(StandardCharsets.UTF_8)))),
                        Arguments.of(protocol, "", new AmqpValue(null)),
                        Arguments.of(protocol, "", new ApplicationProperties(Map.of("x", "y")))));
    }

    @ParameterizedTest
    @MethodSource("supported")
    void otherBodiesArriveAsTheyAre(String protocol, String text, Section body) throws Exception {
        send(body);
        JmsSource source = source(protocol);
        try (source) {
            source.start();
            until(source, () -> count(queue) == 0);
        }
        assertThat(called).hasSize(7).extracting(JmsMessage::text).contains(text);
    }

    /** Artemis cannot convert these, and closes the consumer with each attempt. */
    static Stream<List<Section>> unconvertible() {
        return Stream.of(
                List.of(new AmqpSequence(List.of(1, Map.of("a", 1)))),
                List.of(new AmqpValue(Map.of("a", List.of(1)))),
                List.of(new AmqpValue(List.of(1, List.of(2)))),
                List.of(new ApplicationProperties(Map.of("u", new UUID(1, 2))), new AmqpValue("x")));
    }

    @ParameterizedTest
    @MethodSource("unconvertible")
    void messageThatTheBrokerCannotDeliverCausesNoRepeats(List<Section> sections) throws Exception {
        send(sections.toArray(Section[]::new));
        JmsSource source = source("tcp");
        try (source) {
            source.start();
            until(source, () -> count(queue) == 0);
            assertThat(count(queue + ".DLQ")).isZero();
        }
        assertThat(called)
                .extracting(JmsMessage::text)
                .containsExactlyInAnyOrder("m-1", "m-2", "m-3", "m-4", "m-5", "m-6");
    }

    /** Artemis makes a JMSMessageID for each delivery. */
    @Test
    void idOfAnAmqpMessageIsTheSameInAllDeliveries() throws Exception {
        send(id(new UUID(5, 6)), data("one"));
        List<List<String>> deliveries = new ArrayList<>();
        for (int delivery = 0; delivery < 2; delivery++) {
            List<String> ids = new ArrayList<>();
            try (var factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
                    JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED);
                    var consumer = context.createConsumer(context.createQueue(queue))) {
                for (int message = 0; message < 7; message++) {
                    ids.add(MessageMapper.id(consumer.receive(60_000)));
                }
                context.rollback();
            }
            deliveries.add(ids);
        }
        assertThat(deliveries.getFirst()).contains("ID:AMQP_NO_PREFIX:m-1").doesNotHaveDuplicates();
        assertThat(deliveries.getLast()).isEqualTo(deliveries.getFirst());
    }
}
