package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.jms.FaultyClient;
import dev.penstock.jms.JmsBroker;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQDestination;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A broker refuses some replies: only these are lost. Their messages are acknowledged, and the other replies are sent.
 */
@Timeout(180)
class RefusedReplyArtemisTest {
    private static final String URL = "vm://9002";
    private static final int EACH = 5;
    private static final AtomicInteger QUEUES = new AtomicInteger();

    private static ActiveMQServer server;

    private final String queue = "requests-" + QUEUES.incrementAndGet();
    private final Map<String, Integer> carried = new ConcurrentHashMap<>();

    @BeforeAll
    static void start() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setJMXManagementEnabled(false);
        configuration.addAcceptorConfiguration("in-vm", URL);
        configuration.addAddressSetting("#", new AddressSettings().setAutoDeleteQueues(false));
        configuration.addAddressSetting(
                "missing.#", new AddressSettings().setAutoCreateQueues(false).setAutoCreateAddresses(false));
        configuration.addAddressSetting("full.#", small(AddressFullMessagePolicy.FAIL));
        configuration.addAddressSetting("blocked.#", small(AddressFullMessagePolicy.BLOCK));
        configuration.putSecurityRoles("#", Set.of(may(true)));
        configuration.putSecurityRoles("forbidden.#", Set.of(may(false)));
        SecurityConfiguration users = new SecurityConfiguration();
        users.addUser("penstock", "secret");
        users.addRole("penstock", "clients");
        server = ActiveMQServers.newActiveMQServer(
                configuration, null, new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users), false);
        server.start();
        for (String name : Set.of("forbidden.replies", "full.replies", "blocked.replies")) {
            server.createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST));
        }
        fill("full.replies");
        fill("blocked.replies");
    }

    private static AddressSettings small(AddressFullMessagePolicy policy) {
        return new AddressSettings().setAddressFullMessagePolicy(policy).setMaxSizeBytes(40_000);
    }

    private static Role may(boolean all) {
        return new Role("clients", all, all, all, all, all, all, all, all, all, all, all, all);
    }

    /** Not through the client, which would wait for space. */
    private static void fill(String address) throws Exception {
        var store =
                server.getPagingManager().getPageStore(org.apache.activemq.artemis.api.core.SimpleString.of(address));
        store.addSize(1_000_000, false, true);
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static JmsBroker at() {
        return JmsBroker.at(URL).user("penstock", "secret");
    }

    private void send(String replyTo, String text) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int n = 0; n < EACH; n++) {
                TextMessage request = session.createTextMessage(text + n);
                // Not through the session, which would create the missing queue.
                request.setJMSReplyTo(ActiveMQDestination.createQueue(replyTo));
                producer.send(request);
            }
        }
    }

    private static int received(String from) throws Exception {
        try (var client = at().receiving(1);
                Connection connection = client.open();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(from));
            int count = 0;
            while (consumer.receive(count < EACH ? 30_000 : 1) != null) {
                count++;
            }
            return count;
        }
    }

    private static void await(JmsSource source, String count, long value) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (source.counts().getOrDefault(count, 0L) < value) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(count + " is not " + value + ": " + source.counts() + source.connections());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "false, forbidden", "true, forbidden", "false, missing", "true, missing",
        "false, full", "true, full", "false, blocked", "true, blocked"
    })
    void refusedReplyIsLostAndOthersAreSent(boolean anyClient, String why) throws Exception {
        send(why + ".replies", "bad");
        send(queue + ".replies", "good");
        JmsBroker from = anyClient ? FaultyClient.unknown(URL).user("penstock", "secret") : at();
        try (JmsSource source = JmsSource.at(from)
                .queue(queue)
                .key("id")
                .replyTimeout(Duration.ofSeconds(1))
                .to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            await(source, "acknowledged", 2 * EACH);
            assertThat(received(queue + ".replies")).isEqualTo(EACH);
            assertThat(source.counts())
                    .containsEntry("replies", (long) EACH)
                    .containsEntry("replies_lost", (long) EACH)
                    .containsEntry("dead_letters", 0L);
            assertThat(carried)
                    .hasSize(2 * EACH)
                    .allSatisfy((text, times) -> assertThat(times).isOne());
            assertThat(source.connections()).containsEntry("opened", 1L);
        }
        assertThat(server.locateQueue(queue).getMessageCount()).isZero();
    }

    @Test
    void sendsNoReplyToAForbiddenDestination() throws Exception {
        String other = queue + ".other";
        send(other, "bad");
        send(queue + ".replies", "good");
        try (JmsSource source = JmsSource.at(at())
                .queue(queue)
                .replyTo(List.of("elsewhere", queue + ".re*s"))
                .to(message -> carried.merge(message.text(), 1, Integer::sum), () -> 20)) {
            source.start();
            await(source, "acknowledged", 2 * EACH);
            assertThat(received(queue + ".replies")).isEqualTo(EACH);
            assertThat(source.counts()).containsEntry("replies", (long) EACH).containsEntry("replies_lost", (long)
                    EACH);
            assertThat(carried).hasSize(2 * EACH);
            assertThat(source.settings())
                    .filteredOn(setting -> setting.name().equals("jms.reply_to"))
                    .singleElement()
                    .extracting(Setting::value)
                    .isEqualTo("elsewhere, " + queue + ".re*s");
        }
        assertThat(server.locateQueue(other)).isNull();
    }
}
