package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.paging.PagingStore;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker accepts a reply late, because the address of the reply is full. */
@Timeout(180)
class LateReplyRealClockTest {
    private static final int FULL = 1_000_000;
    /** Longer than a drain waits for clients that need no acknowledgement. */
    private static final long LATE = Duration.ofSeconds(1).toNanos();

    @TempDir
    Path folder;

    private ActiveMQServer server;
    private SlowTarget target;
    private String url;

    @BeforeEach
    void start() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setJMXManagementEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.addAcceptorConfiguration("tcp", "tcp://127.0.0.1:0");
        configuration.addAddressSetting("#", new AddressSettings().setAutoDeleteQueues(false));
        configuration.addAddressSetting(
                "answers",
                new AddressSettings()
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.BLOCK)
                        .setMaxSizeBytes(40_000));
        server = ActiveMQServers.newActiveMQServer(configuration, false);
        server.start();
        server.createQueue(QueueConfiguration.of("answers").setRoutingType(RoutingType.ANYCAST));
        url = "tcp://127.0.0.1:" + ((NettyAcceptor) server.getRemotingService().getAcceptor("tcp")).getActualPort();
        target = new SlowTarget();
    }

    @AfterEach
    void stop() throws Exception {
        target.close();
        server.stop();
    }

    private void send() {
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
                JMSContext context = ((ConnectionFactory) factory).createContext()) {
            context.createProducer()
                    .setJMSReplyTo(context.createQueue("answers"))
                    .send(context.createQueue("payments"), "x");
        }
    }

    private long messages(String queue) {
        return server.locateQueue(queue).getMessageCount();
    }

    @Test
    void drainWaitsForTheReplyAndTheAcknowledgement() throws Exception {
        PagingStore answers = server.getPagingManager().getPageStore(SimpleString.of("answers"));
        answers.addSize(FULL, false, true);
        send();
        try (Gateway gateway = Running.gateway(folder, """
                shutdown: { drain: 60s }
                flows:
                  carry:
                    from: { jms: { url: "%s", queue: payments } }
                    to: { http: { url: "%s" } }
                """.formatted(url, target.url()))) {
            var flow = gateway.flows().getFirst();
            Running.until(() -> flow.snapshot().account().answered() == 1);
            CompletableFuture<Map<String, Accounting>> drained = CompletableFuture.supplyAsync(gateway::drain);
            Running.until(gateway::isDraining);
            long begun = System.nanoTime();
            Running.until(() -> System.nanoTime() - begun > LATE);
            assertThat(drained).isNotDone();
            answers.addSize(-FULL, false, true);
            assertThat(Objects.requireNonNull(drained.join().get("carry")).answered())
                    .isOne();
            assertThat(flow.snapshot().counters("messages"))
                    .containsEntry("replies", 1L)
                    .containsEntry("acknowledged", 1L)
                    .containsEntry("given_back", 0L);
        }
        assertThat(messages("payments")).isZero();
        assertThat(messages("answers")).isOne();
    }
}
