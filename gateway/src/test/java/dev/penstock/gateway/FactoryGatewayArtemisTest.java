package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** To a queue and from it, with a client that the flow file names by its connection factory. */
@Timeout(300)
class FactoryGatewayArtemisTest {
    private static final String CLASS = "org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory";

    @TempDir
    Path folder;

    private static String factory(EmbeddedBroker broker, String password) {
        return "factory: { class: %s, properties: { brokerURL: \"%s\", user: me, password: %s } }"
                .formatted(CLASS, broker.url(), password);
    }

    @Test
    void messagesPassThroughABrokerOfAFactory() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0, "me", () -> "s3cr3t");
                SlowTarget target = new SlowTarget();
                Gateway gateway = Running.gateway(folder, """
                        admin: { port: 0 }
                        shutdown: { drain: 0s }
                        flows:
                          accept:
                            from: { http: { port: 0, path: /orders } }
                            to: { jms: { %1$s, queue: orders } }
                          process:
                            from: { jms: { %1$s, queue: orders, key: JMSMessageID } }
                            to: { http: { url: "%2$s" } }
                        """.formatted(factory(broker, "s3cr3t"), target.url()))) {
            for (int n = 0; n < 3; n++) {
                assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(202);
            }
            Running.until(() -> gateway.flows().get(1).snapshot().account().answered() == 3);
            assertThat(target.received).hasValue(3);
            Running.until(() -> broker.count("orders") == 0);
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(3);
            assertThat(Running.get(gateway.adminAddress() + "flows").body())
                    .contains("\"to\":\"queue orders of class:" + CLASS + "\"")
                    .doesNotContain("s3cr3t");
        }
    }

    @Test
    void aWrongPropertyOfTheFactoryEndsItsRequests() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0, "me", () -> "s3cr3t");
                Gateway gateway = Running.gateway(folder, """
                        shutdown: { drain: 0s }
                        flows:
                          accept:
                            from: { http: { port: 0, path: /orders } }
                            to: { jms: { %s, queue: orders } }
                        """.formatted(factory(broker, "wrong")))) {
            assertThat(Running.post(Running.url(gateway)).statusCode()).isBetween(500, 599);
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isZero();
        }
    }
}
