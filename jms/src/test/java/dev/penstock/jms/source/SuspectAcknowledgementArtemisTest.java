package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.JmsBroker;
import dev.penstock.state.AttemptLog;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.Interceptor;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which acknowledgements wait for a broker that confirms late, after a process died during a message. */
@Timeout(120)
class SuspectAcknowledgementArtemisTest {
    private static final String URL = "vm://9005";

    @TempDir
    Path folder;

    private final CountDownLatch committing = new CountDownLatch(1);
    private final CountDownLatch confirms = new CountDownLatch(1);
    private ActiveMQServer server;

    @BeforeEach
    void start() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setJMXManagementEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.addAcceptorConfiguration("in-vm", URL);
        server = ActiveMQServers.newActiveMQServer(configuration, false);
        server.start();
        server.getRemotingService().addIncomingInterceptor((Interceptor) this::confirmLate);
    }

    private boolean confirmLate(Packet packet, RemotingConnection connection) {
        if (packet.getType() == PacketImpl.SESS_COMMIT) {
            committing.countDown();
            try {
                confirms.await();
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        }
        return true;
    }

    @AfterEach
    void stop() throws Exception {
        confirms.countDown();
        server.stop();
    }

    /** Returns its id. */
    private static String send() throws Exception {
        try (var client = JmsBroker.at(URL).receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Message message = session.createTextMessage("x");
            session.createProducer(session.createQueue("payments")).send(message);
            return message.getJMSMessageID();
        }
    }

    private JmsSource sourceAfterDeathDuring(String id) throws IOException {
        Path file = folder.resolve("attempts");
        try (AttemptLog died = AttemptLog.open(file)) {
            died.begin(id);
        }
        JmsSource source = JmsSource.at(JmsBroker.at(URL))
                .queue("payments")
                .key("JMSMessageID")
                .attemptsIn(file)
                .to(message -> "done", () -> 20);
        source.start();
        return source;
    }

    private static void awaitAcknowledged(JmsSource source) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (source.counts().getOrDefault("acknowledged", 0L) < 1) {
            assertThat(System.nanoTime() - end)
                    .as(() -> source.counts().toString())
                    .isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void acknowledgementOfAnotherMessageIsNotAwaited() throws Exception {
        send();
        try (JmsSource source = sourceAfterDeathDuring("ID:lost")) {
            awaitAcknowledged(source);
            committing.await();
            assertThat(confirms.getCount()).as("not confirmed").isOne();
            confirms.countDown();
        }
        assertThat(server.locateQueue("payments").getMessageCount()).isZero();
    }

    @Test
    void acknowledgementOfTheSuspectIsAwaited() throws Exception {
        try (JmsSource source = sourceAfterDeathDuring(send())) {
            committing.await();
            assertThat(source.counts()).containsEntry("acknowledged", 0L);
            confirms.countDown();
            awaitAcknowledged(source);
        }
        assertThat(server.locateQueue("payments").getMessageCount()).isZero();
    }
}
