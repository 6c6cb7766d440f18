package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.StablePort;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages with bodies larger than the memory of the gateway. */
@Timeout(600)
class LargeMessageRealClockTest {
    private static final int SMALL = 100;
    private static final long MB = 1024 * 1024;

    /** For instance -Dpenstock.body.mb=300. */
    private static final long BODY = Integer.getInteger("penstock.body.mb", 150) * MB;

    /** 128 MB where the bodies have 300 MB. */
    private static final String MEMORY = "-Xmx" + Math.max(48, BODY / MB * 128 / 300) + "m";

    private static final byte[] PATTERN = new byte[10_007];

    static {
        for (int n = 0; n < PATTERN.length; n++) {
            PATTERN[n] = (byte) ('a' + n * 31 % 26);
        }
    }

    @TempDir
    Path folder;

    private int admin;

    /** A body of a pattern whose length divides no buffer size, so that a missing or repeated piece is detected. */
    private static final class Body extends InputStream {
        private final long size;
        private long at;

        Body(long size) {
            this.size = size;
        }

        @Override
        public int read() {
            return at == size ? -1 : PATTERN[(int) (at++ % PATTERN.length)];
        }

        @Override
        public int read(byte[] into, int from, int most) {
            if (at == size) {
                return -1;
            }
            int start = (int) (at % PATTERN.length);
            int count = (int) Math.min(Math.min(size - at, most), PATTERN.length - start);
            System.arraycopy(PATTERN, start, into, from, count);
            at += count;
            return count;
        }
    }

    private static InputStream bytes() {
        return new Body(BODY);
    }

    /** The encoding of text in Artemis: a flag, the number of bytes, then two bytes per character. */
    private static InputStream text() {
        byte[] head = ByteBuffer.allocate(5).put((byte) 1).putInt((int) BODY).array();
        return new SequenceInputStream(new ByteArrayInputStream(head), new Body(BODY));
    }

    private static long checksum(InputStream body) throws IOException {
        CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
        body.transferTo(sum);
        return sum.getChecksum().getValue();
    }

    private Path flows(String from, String broker, SlowTarget target) throws IOException {
        admin = StablePort.free();
        return Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                admin: { port: %d }
                %s
                flows:
                  carry:
                    from: { jms: { %s, queue: payments, key: JMSMessageID } }
                    to: { http: { url: "%s" } }
                """.formatted(
                        folder.resolve("state"), admin, broker, from, target.url()));
    }

    private static void send(String url) throws Exception {
        try (var factory = new ActiveMQConnectionFactory(url);
                Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue("payments"));
            small(session, producer);
            send(producer, session.createBytesMessage(), bytes());
            send(producer, session.createTextMessage(), text());
            small(session, producer);
        }
    }

    private static void small(Session session, MessageProducer producer) throws Exception {
        for (int n = 0; n < SMALL / 2; n++) {
            producer.send(session.createTextMessage("small"));
        }
    }

    private static void send(MessageProducer producer, Message large, InputStream body) throws Exception {
        large.setStringProperty("which", large instanceof TextMessage ? "text" : "bytes");
        ((ActiveMQMessage) large).getCoreMessage().setBodyInputStream(body);
        producer.send(large);
    }

    private String metrics() {
        try {
            return Running.get("http://127.0.0.1:" + admin + "/metrics").body();
        } catch (IOException away) {
            throw new UncheckedIOException(away);
        } catch (InterruptedException stop) {
            throw new AssertionError(stop);
        }
    }

    /** All messages but the large ones are answered, the large ones are dead letters, and none is in progress. */
    private void awaitEnd(SlowTarget target) {
        Running.until(() -> target.received.get() == SMALL, () -> target.received + " small ones arrived");
        String done = "penstock_messages_total{flow=\"carry\",result=\"acknowledged\"} " + (SMALL + 2) + ".0";
        Running.until(() -> metrics().contains(done), this::messages);
        assertThat(metrics())
                .contains("penstock_messages_total{flow=\"carry\",result=\"dead_letters\"} 2.0")
                .contains("penstock_messages_in_hand{flow=\"carry\"} 0.0");
        assertThat(target.received).hasValue(SMALL);
    }

    private String messages() {
        return String.join(
                " ",
                metrics().lines().filter(line -> line.contains("_messages_")).toList());
    }

    private static void areWhole(String url) throws Exception {
        try (var factory = new ActiveMQConnectionFactory(url);
                Connection connection = factory.createConnection();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            // With the core consumer, because the JMS consumer reads a text into memory.
            var core = ((org.apache.activemq.artemis.jms.client.ActiveMQSession) session).getCoreSession();
            var letters = core.createConsumer("payments.DLQ");
            Set<String> kinds = new HashSet<>();
            for (int n = 0; n < 2; n++) {
                var letter = letters.receive(30_000);
                kinds.add(letter.getStringProperty("which"));
                assertThat(letter.getStringProperty("penstock_ending")).isEqualTo("failed");
                assertThat(letter.getStringProperty("penstock_reason")).contains("more than max_body (1048576)");
                boolean isText = letter.getStringProperty("which").equals("text");
                assertThat(ActiveMQMessage.createMessage(letter, core) instanceof TextMessage)
                        .isEqualTo(isText);
                CheckedOutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32());
                letter.saveToOutputStream(sum);
                assertThat(sum.getChecksum().getValue()).isEqualTo(checksum(isText ? text() : bytes()));
            }
            assertThat(kinds).containsExactlyInAnyOrder("bytes", "text");
            assertThat(letters.receive(100)).isNull();
        }
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void largeMessagesBecomeCompleteDeadLettersAndOthersAreAnswered() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0);
                SlowTarget target = new SlowTarget()) {
            send(broker.url());
            Path flows = flows("url: \"" + broker.url() + "\"", "", target);
            try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), MEMORY)) {
                awaitEnd(target);
                gateway.stop();
            }
            assertThat(broker.count("payments")).isZero();
            areWhole(broker.url());
        }
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void sameWithTheBrokerInThatProcess() throws Exception {
        int port = StablePort.free();
        try (SlowTarget target = new SlowTarget()) {
            Path flows = flows("url: embedded", "broker: { port: " + port + " }", target);
            try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), MEMORY)) {
                send("tcp://127.0.0.1:" + port);
                awaitEnd(target);
                areWhole("tcp://127.0.0.1:" + port);
                gateway.stop();
            }
        }
    }
}
