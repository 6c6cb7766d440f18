package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From HTTP to a topic of the embedded broker, and to the flows that read it. */
@Timeout(300)
class TopicGatewayArtemisTest {
    @TempDir
    Path folder;

    private static void publish(Gateway gateway, String region) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Region", region)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        HttpResponse<String> accepted = Running.CLIENT.send(request, BodyHandlers.ofString());
        assertThat(accepted.statusCode()).isEqualTo(202);
        assertThat(accepted.headers().firstValue("Location")).isEmpty();
    }

    private static long queued(Gateway gateway, int flow) {
        return gateway.flows().get(flow).snapshot().counters("messages").getOrDefault("queued", -1L);
    }

    @Test
    void eachFlowGetsEveryMessageThatItsSelectorMatches() throws Exception {
        try (SlowTarget all = new SlowTarget();
                SlowTarget some = new SlowTarget();
                Gateway gateway = Running.gateway(folder, """
                        admin: { port: 0 }
                        shutdown: { drain: 0s }
                        flows:
                          publish:
                            from: { http: { port: 0, path: /prices } }
                            to: { jms: { url: embedded, topic: prices } }
                          all:
                            from: { jms: { url: embedded, topic: prices, subscription: all, key: JMSMessageID } }
                            to: { http: { url: "%s" } }
                          some:
                            from: { jms: { url: embedded, topic: prices, shared: true, selector: "Region = 'EU'", key: JMSMessageID } }
                            to: { http: { url: "%s" } }
                        """.formatted(all.url(), some.url()))) {
            Running.until(() -> queued(gateway, 1) == 0 && queued(gateway, 2) == 0);
            some.hold();
            publish(gateway, "EU");
            publish(gateway, "US");
            publish(gateway, "EU");
            Running.until(() -> all.received.get() == 3 && some.received.get() == 2);
            Running.until(() -> queued(gateway, 1) == 0 && queued(gateway, 2) == 2);
            assertThat(Running.get(gateway.adminAddress() + "flows").body()).contains("\"queued\":2");
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("penstock_messages_queued{flow=\"some\"} 2.0");
            some.release();
            Running.until(() -> queued(gateway, 2) == 0);
            assertThat(gateway.flows().get(1).snapshot().account().answered()).isEqualTo(3);
            assertThat(gateway.flows().get(2).snapshot().account().answered()).isEqualTo(2);
        }
    }
}
