package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.file.FlowFile;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real broker that requires a login, behind an address of several brokers of which one is down. */
@Timeout(300)
class KafkaLoginBrokerTest {
    private static final String MODULE =
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\"";

    private static KafkaBroker broker;

    @TempDir
    Path folder;

    private static Map<String, String> login(String password) {
        return Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", MODULE.formatted("gateway", password) + ";");
    }

    @BeforeAll
    static void startBroker() throws Exception {
        String users = " user_broker=\"b\" user_gateway=\"right\";";
        broker = KafkaBroker.start(
                Map.of(
                        "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_PLAINTEXT",
                        "sasl.enabled.mechanisms", "PLAIN",
                        "sasl.mechanism.inter.broker.protocol", "PLAIN",
                        "listener.name.plaintext.plain.sasl.jaas.config", MODULE.formatted("broker", "b") + users),
                login("right"));
        broker.createTopic("orders", 3, Map.of());
        broker.createTopic("orders.DLQ", 1, Map.of());
    }

    @AfterAll
    static void stopBroker() throws Exception {
        broker.close();
    }

    private Path flows(String password, String by, String target) throws IOException {
        String kafka = "url: \"127.0.0.1:%d, %s\", topic: orders, properties: { "
                        .formatted(StablePort.free(), broker.servers())
                + "security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN, sasl.jaas.config: '"
                + MODULE.formatted("gateway", password) + ";' }";
        return Files.writeString(folder.resolve("flows.yaml"), """
                flows:
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { kafka: { %1$s } }
                  carry:
                    from: { kafka: { %1$s, group: carriers, by: %2$s, key: penstock_id } }
                    to: { http: { url: "%3$s" } }
                """.formatted(kafka, by, target));
    }

    @Test
    void sourceAndTargetLogIn() throws Exception {
        try (SlowTarget target = new SlowTarget()) {
            Path file = flows("right", "key", target.url());
            FlowFile.read(file).ask(file);
            try (Gateway gateway = Gateway.start(FlowFile.read(file).config())) {
                assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(202);
                Running.until(() -> target.received.get() == 1);
                Running.until(() ->
                        gateway.flows().get(1).snapshot().counters("messages").getOrDefault("lag", -1L) == 0);
            }
        }
    }

    @Test
    void wrongPasswordIsReportedWithoutIt() throws Exception {
        Path file = flows("wr0ng", "key", "http://127.0.0.1:1");
        assertThatThrownBy(() -> FlowFile.read(file).ask(file))
                .hasMessageContaining("rejected the login")
                .hasMessageContaining("check the settings of SASL and TLS")
                .hasMessageNotContaining("wr0ng");
    }

    @Test
    void clusterWithoutShareGroupsIsReported() throws Exception {
        Path file = flows("right", "share", "http://127.0.0.1:1");
        FlowFile.read(file).ask(file);
        broker.withoutShareGroups();
        assertThatThrownBy(() -> FlowFile.read(file).ask(file)).hasMessageContaining("have no share groups");
    }
}
