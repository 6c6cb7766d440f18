package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.supervise.Part;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads /ready, /health and /metrics while parts of a gateway fail, and while clients hold its ports. */
@Timeout(180)
class ReadinessRealClockTest extends GatewayFixture {
    @TempDir
    Path otherFolder;

    @Override
    Gateway start() throws Exception {
        return Running.gateway(folder, target);
    }

    private static HttpResponse<String> get(Gateway from, String page) throws Exception {
        return Running.get(from.adminAddress() + page);
    }

    private static String metrics(Gateway from, String part) throws Exception {
        return get(from, "metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("penstock_faults_total{part=\"" + part + "\"}"))
                .findFirst()
                .orElse("");
    }

    @Test
    void partThatFailsTooOftenMakesItsGatewayNotReady() throws Exception {
        try (Gateway other = Running.gateway(otherFolder, target);
                Part part = gateway.supervisor().part("test", "port 1")) {
            assertThat(get(gateway, "ready").statusCode()).isEqualTo(200);
            for (int i = 0; i < 3; i++) {
                part.failed("it goes on", new NoClassDefFoundError("com/example/Gone"));
            }

            HttpResponse<String> down = get(gateway, "ready");
            assertThat(down.statusCode()).isEqualTo(503);
            assertThat(down.body())
                    .isEqualTo(
                            "{\"status\":\"down\",\"reasons\":[\"test (port 1) failed 3 times or more within 60 s, last:"
                                    + " java.lang.NoClassDefFoundError: com/example/Gone\"]}");
            assertThat(get(gateway, "health").statusCode()).isEqualTo(200);
            assertThat(metrics(gateway, "test")).endsWith(" 3.0");
            assertThat(get(other, "ready").statusCode()).isEqualTo(200);
            assertThat(metrics(other, "test")).isEmpty();
        }
        assertThat(get(gateway, "ready").statusCode()).isEqualTo(200);
        assertThat(metrics(gateway, "test")).endsWith(" 3.0");
    }

    @Test
    void partsOfEveryTransportBelongToTheirGateway() throws Exception {
        String yaml = """
                admin: { port: 0 }
                flows:
                  http:
                    from: { http: { port: 0, path: /http } }
                    to: { http: { url: "%s" } }
                    dedupe: Idempotency-Key
                  jdbc:
                    from: { http: { port: 0, path: /jdbc } }
                    to: { jdbc: { url: "jdbc:h2:mem:readiness", statement: "select 1" } }
                  jms:
                    from: { http: { port: 0, path: /jms } }
                    to: { jms: { url: embedded, queue: orders } }
                  carry:
                    from: { jms: { url: embedded, queue: orders } }
                    to: { http: { url: "%s" } }
                  udp:
                    from: { udp: { port: 0 } }
                    to: { udp: { url: "udp://127.0.0.1:9", id: { at: 0, length: 8 } } }
                """.formatted(target.url(), target.url());
        try (Gateway all = Running.gateway(otherFolder, yaml)) {
            assertThat(all.supervisor().faults())
                    .containsOnlyKeys(
                            "admin-history",
                            "admin-recorder",
                            "backlog",
                            "dedupe-store",
                            "embedded-broker",
                            "http-acceptor",
                            "http-connections",
                            "http-event-loop",
                            "jdbc-deadlines",
                            "jdbc-house-keeper",
                            "jms-connection",
                            "jms-receiver",
                            "key-store",
                            "key-store-sweep",
                            "thread-watch",
                            "udp-answers",
                            "udp-handlers",
                            "udp-reader")
                    .containsValue(0L);
            assertThat(metrics(all, "udp-reader")).endsWith(" 0.0");
            // The source of the queue connects after the start, so this takes a moment.
            Running.until(() -> body(all, "ready").equals("{\"status\":\"ready\"}"), () -> body(all, "ready"));
        }
    }

    @Test
    void healthNamesUnreachableTargetUntilItAnswers() throws Exception {
        assertThat(get(gateway, "health").body()).isEqualTo("{\"status\":\"ok\"}");
        String yaml = """
                admin: { port: 0 }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:1/" } }
                """;
        try (Gateway unreached = Running.gateway(otherFolder, yaml)) {
            assertThat(Running.post(Running.url(unreached)).statusCode()).isEqualTo(502);
            Running.until(() -> body(unreached, "health").contains("\"unreachable\":[\"flow payments: "));
            assertThat(get(unreached, "health").statusCode()).isEqualTo(200);
            assertThat(body(unreached, "health")).contains("127.0.0.1:1");
            assertThat(get(unreached, "ready").statusCode()).isEqualTo(200);
        }
    }

    private static String body(Gateway from, String page) {
        try {
            return get(from, page).body();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void answersReadyWhileClientsHoldBothPorts() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try {
            hold(clients, Objects.requireNonNull(gateway.adminAddress()), 200, "GET /ready HTTP/1.1\r\nHo");
            hold(
                    clients,
                    URI.create(Running.url(gateway)),
                    1_000,
                    "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\nx");
            for (String page : List.of("ready", "health", "metrics")) {
                assertThat(get(gateway, page).statusCode()).as(page).isEqualTo(200);
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void hold(List<Socket> clients, URI at, int count, String begun) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket client = new Socket(InetAddress.getLoopbackAddress(), at.getPort());
            clients.add(client);
            client.getOutputStream().write(begun.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
