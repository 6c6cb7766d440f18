package dev.penstock.gateway.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded broker of a gateway, in this process and over the network. */
class BrokersArtemisTest {
    private static final String FILE = """
            flows:
              orders:
                from: { http: { port: 0, path: /orders } }
                to: { jms: { url: embedded, queue: orders } }
            """;

    @TempDir
    private Path folder;

    @Test
    void ownFlowsReachTheListeningBrokerWithoutTheNetwork() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), "broker: { port: 0 }\n" + FILE);
        GatewayConfig config = FlowFile.read(file).config();
        JmsTo to = (JmsTo) config.flows().getFirst().to();
        try (Brokers brokers = Brokers.start(config)) {
            assertThat(brokers.of(to.endpoint()).where()).startsWith("vm://");
            assertThat(Objects.requireNonNull(brokers.embedded()).url()).startsWith("tcp://127.0.0.1:");
        }
    }

    @Test
    void ownFlowsLogInAtABrokerWithLogin() throws Exception {
        Files.writeString(folder.resolve("secret"), "s3cret\n");
        Path file = Files.writeString(
                folder.resolve("f.yaml"),
                "broker: { port: 0, host: 0.0.0.0, user: penstock, password: \"${file:secret}\" }\n" + FILE);
        GatewayConfig config = FlowFile.read(file).config();
        JmsTo to = (JmsTo) config.flows().getFirst().to();
        try (Brokers brokers = Brokers.start(config)) {
            send(brokers.of(to.endpoint()));
            String url = Objects.requireNonNull(brokers.embedded()).url().replace("0.0.0.0", "127.0.0.1");
            assertThatThrownBy(() -> send(JmsBroker.at(url))).hasMessageContaining("rejected the login");
            send(JmsBroker.at(url).user("penstock", "s3cret"));
        }
        assertThat(Brokers.settings(config).getFirst().reason())
                .contains("log in as penstock")
                .doesNotContain("s3cret");
        assertThat(config.toString()).doesNotContain("s3cret");
    }

    private static void send(JmsBroker at) throws Exception {
        try (JmsTarget target = JmsTarget.at(at).queue("signed").build()) {
            target.call(JmsMessage.text("m"));
        }
    }
}
