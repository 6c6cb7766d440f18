package dev.penstock.jms.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class BrokerProcessArtemisTest {
    private static void send(BrokerProcess broker, String text, int mode) throws Exception {
        try (var factory = new ActiveMQConnectionFactory(broker.url());
                JMSContext context = factory.createContext()) {
            context.createProducer().setDeliveryMode(mode).send(context.createQueue("q"), text);
        }
    }

    @Test
    void persistentMessagesSurviveAKillAndOthersDoNot() throws Exception {
        Path folder;
        try (BrokerProcess broker = BrokerProcess.start()) {
            folder = broker.folder();
            String url = broker.url();
            long pid = broker.pid();
            send(broker, "kept", DeliveryMode.PERSISTENT);
            send(broker, "gone", DeliveryMode.NON_PERSISTENT);
            assertThat(broker.count("q")).isEqualTo(2);
            assertThat(broker.count("another")).isZero();

            broker.kill();
            broker.kill();

            assertThatThrownBy(broker::pid).hasMessageContaining("does not run");
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            broker.restart();
            assertThat(broker.url()).isEqualTo(url);
            assertThat(receive(broker)).isEqualTo("kept");
            assertThat(broker.count("q")).isZero();
        }
        assertThat(folder).doesNotExist();
    }

    private static String receive(BrokerProcess broker) throws Exception {
        try (var factory = new ActiveMQConnectionFactory(broker.url());
                JMSContext context = factory.createContext()) {
            return context.createConsumer(context.createQueue("q")).receiveBody(String.class, 60_000);
        }
    }

    @Test
    void stopsGracefullyAndKeepsAGivenFolder(@TempDir Path folder) throws Exception {
        try (BrokerProcess broker = BrokerProcess.start(folder.resolve("here"), 0)) {
            send(broker, "kept", DeliveryMode.PERSISTENT);
            broker.stop();
            broker.restart();
            assertThat(broker.count("q")).isEqualTo(1);
        }
        assertThat(folder.resolve("here")).isDirectory();
    }

    @Test
    void reportsWhyItDoesNotStart(@TempDir Path folder) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> BrokerProcess.start(folder, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the broker's process ended; it last said");
        }
    }
}
