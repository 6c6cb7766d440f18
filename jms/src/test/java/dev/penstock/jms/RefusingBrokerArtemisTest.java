package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.jms.source.JmsSource;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker with little space and with logins: what it refuses is reported as refused, and nothing else is lost. */
@Timeout(180)
class RefusingBrokerArtemisTest {
    private static final String URL = "vm://9001";
    private static final String FULL = "full";
    private static final String OTHERS = "others";
    private static final int ROOM = 40_000;

    private static ActiveMQServer server;

    @BeforeAll
    static void start() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setJMXManagementEnabled(false);
        configuration.addAcceptorConfiguration("in-vm", URL);
        configuration.addAddressSetting(
                "#",
                new AddressSettings()
                        .setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL)
                        .setMaxSizeBytes(ROOM));
        configuration.putSecurityRoles("#", Set.of(may("clients", true), may("guests", false)));
        SecurityConfiguration users = new SecurityConfiguration();
        users.addUser("penstock", "secret");
        users.addRole("penstock", "clients");
        users.addUser("guest", "guest");
        users.addRole("guest", "guests");
        server = ActiveMQServers.newActiveMQServer(
                configuration, null, new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users), false);
        server.start();
    }

    private static Role may(String role, boolean all) {
        return new Role(role, all, all, all, all, all, all, all, all, all, all, all, all);
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static JmsBroker as(String user, String password) {
        return JmsBroker.at(URL).user(user, password);
    }

    private static JmsBroker known() {
        return as("penstock", "secret");
    }

    private static JmsMessage kilobytes(int count) {
        return JmsMessage.text("x".repeat(count * 1024));
    }

    /** Waits for the broker to count as many messages, which it does after it confirmed them. */
    private static void awaitCount(String queue, long messages) {
        var found = server.locateQueue(queue);
        while (found.getMessageCount() < messages) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(found.getMessageCount()).isEqualTo(messages);
    }

    @Test
    void fullAddressFailsRefusedMessagesAndKeepsAcceptedOnes() throws Exception {
        try (var target = JmsTarget.at(known()).queue(FULL).build();
                var batch = JmsBatch.over(target);
                var inbox = JmsSource.at(known()).queue(FULL).to(message -> "done", () -> 10)) {
            int taken = 0;
            Unanswered full = null;
            while (full == null) {
                full = JmsTargetContract.ending(target, kilobytes(1));
                taken += full == null ? 1 : 0;
            }
            assertThat(taken).isBetween(5, 100);
            assertThat(full)
                    .isInstanceOf(Failed.class)
                    .hasMessageContaining("the queue is full or the broker is out of resources");
            assertThat(full.why()).isEqualTo(Failed.Cause.ROLLED_BACK);
            BatchEndings<JmsReceipt> endings = batch.call(List.of(kilobytes(1), kilobytes(1)));
            for (int place = 0; place < 2; place++) {
                assertThat(refusal(endings.get(place)).why()).isEqualTo(Failed.Cause.ROLLED_BACK);
            }
            awaitCount(FULL, taken);

            inbox.start();
            awaitRoom(target);
        }
    }

    private static Failed refusal(Ending ending) {
        assertThat(ending).isInstanceOf(Failed.class);
        return (Failed) ending;
    }

    /** The broker accepts messages again shortly after the queue is empty. */
    private static void awaitRoom(JmsTarget target) {
        for (Unanswered full = JmsTargetContract.ending(target, kilobytes(1));
                full != null;
                full = JmsTargetContract.ending(target, kilobytes(1))) {
            assertThat(full.why()).isEqualTo(Failed.Cause.ROLLED_BACK);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void wrongPasswordFailsEveryCall() throws Exception {
        try (var target = JmsTarget.at(as("penstock", "wrong")).queue(OTHERS).build()) {
            for (int times = 0; times < 2; times++) {
                Unanswered ending = JmsTargetContract.ending(target, kilobytes(1));
                assertThat(ending).hasMessageContaining("check user and password");
                assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
            }
            assertThat(target.connections()).containsEntry("opened", 0L);
        }
    }

    @Test
    void userWithoutPermissionFailsAndOthersSend() throws Exception {
        try (var guest = JmsTarget.at(as("guest", "guest")).queue(OTHERS).build();
                var batch = JmsBatch.over(guest);
                var target = JmsTarget.at(known()).queue(OTHERS).build()) {
            assertThat(JmsTargetContract.ending(guest, kilobytes(1)).why()).isEqualTo(Failed.Cause.REFUSED);
            target.call(kilobytes(1));
            assertThat(JmsTargetContract.ending(guest, kilobytes(1)).why()).isEqualTo(Failed.Cause.REFUSED);
            BatchEndings<JmsReceipt> endings = batch.call(List.of(kilobytes(1), kilobytes(1)));
            assertThat(refusal(endings.get(0)).why()).isEqualTo(Failed.Cause.REFUSED);
            awaitCount(OTHERS, 1);
        }
    }

    @Test
    void sourceWithAWrongPasswordDoesNotStart() throws Exception {
        try (var source = JmsSource.at(as("penstock", "wrong")).queue(OTHERS).to(message -> "done", () -> 10)) {
            assertThatThrownBy(source::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(URL + " rejected the login: ")
                    .hasMessageEndingWith("; check user and password");
        }
    }
}
