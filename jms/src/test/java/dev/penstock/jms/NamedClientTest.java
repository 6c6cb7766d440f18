package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NamedClientTest {
    private static final String NAME = "dev.penstock.jms.NamedClientTest$Factory";

    /** A connection factory with properties of each type. */
    public static class Factory implements ConnectionFactory {
        String hostName = "";
        int port;
        long idle;
        double ratio;
        boolean secure;
        String level = "";

        /** A text. */
        public void setHostName(String name) {
            hostName = name;
        }

        /** Only positive numbers. */
        public void setPort(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("port " + number);
            }
            port = number;
        }

        /** Another number. */
        public void setIdle(long millis) {
            idle = millis;
        }

        /** A fraction. */
        public void setRatio(double share) {
            ratio = share;
        }

        /** A truth. */
        public void setSSL(boolean on) {
            secure = on;
        }

        /** The one of two setters that is used. */
        public void setLevel(String name) {
            level = name;
        }

        /** Another of two setters. */
        public void setLevel(int number) {
            level = "number " + number;
        }

        /** Not a property: its type is not converted. */
        public void setListener(Runnable listener) {
            throw new AssertionError();
        }

        @Override
        public Connection createConnection() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Connection createConnection(String user, String password) {
            throw new UnsupportedOperationException();
        }

        @Override
        public JMSContext createContext() {
            throw new UnsupportedOperationException();
        }

        @Override
        public JMSContext createContext(String user, String password) {
            throw new UnsupportedOperationException();
        }

        @Override
        public JMSContext createContext(String user, String password, int mode) {
            throw new UnsupportedOperationException();
        }

        @Override
        public JMSContext createContext(int mode) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void setsPropertiesOfEachType() throws Exception {
        JmsBroker broker = JmsBroker.of(
                NAME,
                Map.of(
                        "hostName", "a&b%",
                        "port", "1414",
                        "idle", "60000",
                        "ratio", "0.5",
                        "SSL", "true",
                        "level", "high"));
        Factory factory = (Factory) broker.factory();
        assertThat(factory.hostName).isEqualTo("a&b%");
        assertThat(factory.port).isEqualTo(1414);
        assertThat(factory.idle).isEqualTo(60_000L);
        assertThat(factory.ratio).isEqualTo(0.5);
        assertThat(factory.secure).isTrue();
        assertThat(factory.level).isEqualTo("high");
        assertThat(broker.where()).isEqualTo("class:" + NAME);
        assertThat(broker.kind()).isEqualTo(JmsBroker.Kind.OTHER);
    }

    @Test
    void unknownPropertyNamesThoseThereAre() {
        assertThatThrownBy(() -> JmsBroker.of(NAME, Map.of("hostname", "secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the class " + NAME
                        + " has no property hostname; it has SSL, hostName, idle, level, port, ratio");
    }

    @Test
    void valueThatDoesNotFitNamesTheType() {
        assertThatThrownBy(() -> JmsBroker.of(NAME, Map.of("port", "secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the property port of the class " + NAME + " does not accept this value; it is of type int");
        assertThatThrownBy(() -> JmsBroker.at("class:" + NAME + "?SSL=yes"))
                .hasMessageEndingWith(
                        "the property SSL of the class " + NAME + " does not accept this value; it is of type boolean");
        assertThatThrownBy(() -> JmsBroker.of(NAME, Map.of("port", "-1")))
                .hasMessage("the class " + NAME
                        + " rejected the value of port (IllegalArgumentException); see the manual of that JMS client");
    }

    @Test
    void classThatCannotBeUsed() {
        assertThatThrownBy(() -> JmsBroker.of("acme.None", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("class not found: acme.None; put the jars");
        assertThatThrownBy(() -> JmsBroker.of("java.lang.Object", Map.of()))
                .hasMessageContaining("is not a jakarta.jms.ConnectionFactory");
    }

    @Test
    void sendsWithTheFactoriesOfRealClients(@TempDir Path folder) throws Exception {
        try (EmbeddedBroker embedded = EmbeddedBroker.on(folder, "127.0.0.1", 0)) {
            JmsBroker artemis = JmsBroker.of(
                    "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory",
                    Map.of("brokerURL", embedded.url(), "callTimeout", "5000", "useTopologyForLoadBalancing", "false"));
            JmsBroker qpid = JmsBroker.of(
                    "org.apache.qpid.jms.JmsConnectionFactory",
                    Map.of("remoteURI", embedded.url().replace("tcp:", "amqp:"), "sendTimeout", "5000"));
            assertThat(artemis.kind()).isEqualTo(JmsBroker.Kind.ARTEMIS);
            assertThat(qpid.kind()).isEqualTo(JmsBroker.Kind.QPID);
            for (JmsBroker broker : new JmsBroker[] {artemis, qpid}) {
                try (JmsTarget target = JmsTarget.at(broker).queue("q").build()) {
                    assertThat(target.call(JmsMessage.text("m")).messageId()).startsWith("ID:");
                }
            }
            while (embedded.count("q") < 2) { // the broker counts a message after it confirmed it
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(embedded.count("q")).isEqualTo(2);
        }
    }
}
