package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.kit.StablePort;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An amqp:// URL of something else. */
@Timeout(120)
class NoAmqpArtemisTest {
    private static Unanswered endingAt(int port) {
        try (JmsTarget target = JmsTarget.at(JmsBroker.at("amqp://127.0.0.1:" + port))
                .queue("q")
                .build()) {
            return catchThrowableOfType(Unanswered.class, () -> target.call(JmsMessage.text("x")));
        }
    }

    private static final String MISMATCH = "AMQP SASL header mismatch";

    @Test
    void brokerWithoutAmqpIsNamedAsSuch() throws Exception {
        int port = StablePort.free();
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.addAcceptorConfiguration("core", "tcp://127.0.0.1:" + port + "?protocols=CORE");
        ActiveMQServer server = ActiveMQServers.newActiveMQServer(configuration, null, null, false);
        server.start();
        try {
            Unanswered ending = endingAt(port);
            assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(ending).hasMessageEndingWith("no answer within 5 s");
        } finally {
            server.stop();
        }
    }

    static Stream<Arguments> peers() {
        return Stream.of(
                Arguments.of("HTTP/1.1 400 Bad Request\r\n\r\n", MISMATCH),
                Arguments.of("AMQP\0\0\u0009\u0001", MISMATCH),
                Arguments.of("\u0015\u0003\u0003\0\u0002\u0002\u0032\0", MISMATCH),
                Arguments.of("", "Transport connection remotely closed"));
    }

    @ParameterizedTest
    @MethodSource("peers")
    void otherPeerIsDescribed(String says, String described) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, says));
            Unanswered ending = endingAt(server.getLocalPort());
            assertThat(ending.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(ending).hasMessageContaining(described);
        }
    }

    private static void answer(ServerSocket server, String says) {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    socket.getInputStream().readNBytes(8);
                    socket.getOutputStream().write(says.getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        } catch (IOException closed) {
            return;
        }
    }

    @Test
    void mistakeInTheClientIsNotShownAsAReason() {
        JMSException failed = new JMSException("Cannot invoke \"java.util.List.add(Object)\"");
        failed.initCause(new NullPointerException(failed.getMessage()));
        assertThat(JmsFault.describe(failed)).isEqualTo("the JMS client failed with java.lang.NullPointerException");
    }
}
