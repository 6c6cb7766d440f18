package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Accounting;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From a queue of an external broker to a target over HTTP. */
@Timeout(300)
class FromQueueArtemisTest {
    @TempDir
    Path folder;

    private EmbeddedBroker broker;
    private SlowTarget target;

    @BeforeEach
    void open() throws IOException {
        broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0);
        target = new SlowTarget();
    }

    @AfterEach
    void close() {
        target.close();
        broker.close();
    }

    private static String file(String broker, String target, String more) {
        return """
                admin: { port: 0 }
                shutdown: { drain: 0s }
                flows:
                  carry:
                    from: { jms: { url: "%s", queue: payments%s } }
                    to: { http: { url: "%s" } }
                """.formatted(broker, more, target);
    }

    private Gateway gateway(String more) throws Exception {
        return Running.gateway(folder, file(broker.url(), target.url(), more));
    }

    private JmsTarget queue() {
        return JmsTarget.at(JmsBroker.at(broker.url())).queue("payments").build();
    }

    private static long messages(Gateway gateway, String what) {
        return gateway.flows().getFirst().snapshot().counters("messages").getOrDefault(what, 0L);
    }

    @Test
    void drainReturnsUnprocessedMessages() throws Exception {
        target.hold();
        try (JmsTarget queue = queue();
                Gateway gateway = gateway(", key: JMSMessageID, in_flight: 2")) {
            for (int place = 0; place < 5; place++) {
                queue.call(JmsMessage.text("x"));
            }
            Running.until(() -> target.received.get() == 2);
            Accounting account = Objects.requireNonNull(gateway.drain().get("carry"));
            assertThat(account.isSettled()).isTrue();
            assertThat(account.unknown()).isEqualTo(2);
        }
        target.release();
        assertThat(broker.count("payments")).isEqualTo(5);
        assertThat(broker.count("payments.DLQ")).isZero();
        try (Gateway gateway = gateway(", key: JMSMessageID")) {
            Running.until(() -> broker.count("payments") == 0);
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(5);
        }
    }

    @Test
    void sendsAnswerOfTheTargetToTheReplyQueue() throws Exception {
        try (var factory = new ActiveMQConnectionFactory(broker.url());
                JMSContext context = factory.createContext();
                Gateway gateway = gateway("")) {
            var replies = context.createTemporaryQueue();
            ask(context, replies);
            Message reply = context.createConsumer(replies).receive(60_000);
            assertThat(reply.getBody(byte[].class))
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("done");
            assertThat(reply.getIntProperty("penstock_status")).isEqualTo(200);
            assertThat(reply.getJMSCorrelationID()).isEqualTo("mine");
            Running.until(() -> messages(gateway, "replies") == 1);
        }
    }

    private static void ask(JMSContext context, Destination replies) {
        context.createProducer()
                .setJMSReplyTo(replies)
                .setJMSCorrelationID("mine")
                .send(context.createQueue("payments"), "x");
    }

    @Test
    void countsReplyToForbiddenDestinationAndAcknowledgesItsMessage() throws Exception {
        try (var factory = new ActiveMQConnectionFactory(broker.url());
                JMSContext context = factory.createContext();
                Gateway gateway = gateway(", reply_to: \"answers.*, other\"")) {
            ask(context, context.createTemporaryQueue());
            Running.until(() -> messages(gateway, "replies_lost") == 1);
            Running.until(() -> broker.count("payments") == 0);
            assertThat(target.received.get()).isEqualTo(1);
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("penstock_messages_total{flow=\"carry\",result=\"replies_lost\"} 1.0");
            assertThat(Running.get(gateway.adminAddress() + "settings").body())
                    .contains("jms.reply_to", "answers.*, other");
        }
    }

    @Test
    void bodyOverMaxBodyIsADeadLetterAndNotSent() throws Exception {
        try (JmsTarget queue = queue();
                Gateway gateway = gateway(", key: JMSMessageID, max_body: 1KB")) {
            queue.call(JmsMessage.bytes(new byte[1_025]));
            queue.call(JmsMessage.bytes(new byte[1_024]));
            Running.until(() -> messages(gateway, "acknowledged") == 2);
            Running.until(() -> broker.count("payments.DLQ") == 1);
            assertThat(target.received.get()).isEqualTo(1);
            assertThat(Running.get(gateway.adminAddress() + "settings").body()).contains("jms.max_body", "1024");
        }
    }

    @Test
    void adminPagesShowMessages() throws Exception {
        try (JmsTarget queue = queue();
                Gateway gateway = gateway(", in_flight: 7")) {
            queue.call(JmsMessage.text("x"));
            Running.until(() -> messages(gateway, "acknowledged") == 1);
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("penstock_messages_total{flow=\"carry\",result=\"received\"} 1.0")
                    .contains("penstock_messages_total{flow=\"carry\",result=\"acknowledged\"} 1.0")
                    .contains("penstock_messages_total{flow=\"carry\",result=\"dead_letters\"} 0.0")
                    .contains("penstock_messages_in_hand{flow=\"carry\"} 0.0")
                    .contains("penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=\"carry\"} 1.0")
                    .contains("penstock_connections{flow=\"carry\",state=\"source_open\"} 1.0")
                    .contains("penstock_setting{flow=\"carry\",name=\"jms.in_flight\"} 7.0");
        }
    }

    @Test
    void isReadyOnlyWhileMessagesArrive() throws Exception {
        int port = URI.create(broker.url()).getPort();
        try (Gateway gateway = gateway("")) {
            String ready = gateway.adminAddress() + "ready";
            Running.until(() -> status(ready) == 200);
            broker.close();
            Running.until(() -> status(ready) == 503);
            assertThat(Running.get(ready).body())
                    .startsWith(
                            "{\"status\":\"down\",\"reasons\":[\"flow carry: no messages from payments at tcp://127.0.0.1:");
            assertThat(Running.get(gateway.adminAddress() + "health").statusCode())
                    .isEqualTo(200);
            broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", port);
            Running.until(() -> status(ready) == 200);
            assertThat(Running.get(ready).body()).isEqualTo("{\"status\":\"ready\"}");
        }
    }

    private static int status(String url) {
        try {
            return Running.get(url).statusCode();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void planOpensNothing() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String url = "tcp://127.0.0.1:" + silent.getLocalPort();
            Path file = Files.writeString(folder.resolve("f.yaml"), file(url, "http://127.0.0.1:1/", ""));
            assertThat(GatewayPlan.of(FlowFile.read(file).config()).text())
                    .containsPattern("jms.dead_letter +payments.DLQ");
            silent.setSoTimeout(50);
            assertThatThrownBy(silent::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }
}
