package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The admin pages show an operator why a target cannot be reached. */
@Timeout(120)
class ReasonsRealClockTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path folder;

    private Gateway gateway(String to) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 5s }
                state: "%s"
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: %s
                    breaker: off
                    deadline: 3s
                """.formatted(folder.resolve("state"), to));
    }

    private static int post(Gateway gateway) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return Running.CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static JsonNode flow(Gateway gateway) throws Exception {
        return JSON.readTree(Running.get(gateway.adminAddress() + "flows").body())
                .get("flows")
                .get(0);
    }

    /** A port without a listener. */
    private static int freePort() throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return listening.getLocalPort();
        }
    }

    private JsonNode reason(String to) throws Exception {
        return reason(to, 3);
    }

    private JsonNode reason(String to, int posts) throws Exception {
        try (Gateway gateway = gateway(to)) {
            Instant before = Instant.now().minusSeconds(1);
            for (int i = 0; i < posts; i++) {
                assertThat(post(gateway)).isEqualTo(502);
            }
            JsonNode flow = flow(gateway);
            JsonNode reasons = flow.get("reasons");
            assertThat(reasons).hasSize(1);
            JsonNode last = reasons.get(0);
            assertThat(last.get("ending").asString()).isEqualTo("failed");
            assertThat(last.get("cause").asString()).isEqualTo("connect");
            assertThat(last.get("count").asLong()).isBetween(1L, 3L);
            assertThat(Instant.parse(last.get("at").asString())).isBetween(before, Instant.now());
            assertThat(flow.get("bottleneck").get("sentence").asString())
                    .matches(
                            "connecting fails: (\\d) of \\1 attempts got no connection; the last failure to connect, .*")
                    .doesNotContain("pool.max")
                    .doesNotContain("pool.idle");
            return last;
        }
    }

    private static String http(String url) {
        return "{ http: { url: \"" + url + "\" } }";
    }

    @Test
    void unknownHost() throws Exception {
        JsonNode last = reason(http("http://penstock-test.invalid/v1"));
        assertThat(last.get("reason").asString()).startsWith("unknown host penstock-test.invalid:80");
        assertThat(last.get("exceptions").toString()).contains("java.net.UnknownHostException");
    }

    @Test
    void refusedConnection() throws Exception {
        int port = freePort();
        JsonNode last = reason(http("http://127.0.0.1:" + port + "/v1"));
        assertThat(last.get("reason").asString()).startsWith("connection refused by 127.0.0.1:" + port);
        assertThat(last.get("exceptions").toString())
                .contains("java.net.ConnectException: Connection refused: 127.0.0.1:" + port);
    }

    @Test
    void databaseThatRefusesConnections() throws Exception {
        int port = freePort();
        // One request, because the pool tries to connect until the deadline.
        JsonNode last = reason(
                "{ jdbc: { url: \"jdbc:postgresql://127.0.0.1:" + port
                        + "/shop\", user: me, password: hunter2, statement: \"select 1\" } }",
                1);
        assertThat(last.toString())
                .contains("SQLState 08001")
                .contains("java.net.ConnectException")
                .contains(Integer.toString(port))
                .doesNotContain("hunter2");
    }

    @Test
    void brokerThatRefusesConnections() throws Exception {
        int port = freePort();
        JsonNode last = reason("{ jms: { url: \"amqp://127.0.0.1:" + port + "\", queue: q } }");
        assertThat(last.toString()).contains("127.0.0.1:" + port).contains("refused");
    }

    @Test
    void eventsReportItToo() throws Exception {
        try (Gateway gateway = gateway(http("http://penstock-test.invalid/v1"))) {
            HttpRequest events = HttpRequest.newBuilder(URI.create(gateway.adminAddress() + "events"))
                    .build();
            try (InputStream body = Running.CLIENT
                            .send(events, BodyHandlers.ofInputStream())
                            .body();
                    BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
                String first = lines.readLine();
                assertThat(first).isNotNull();
                assertThat(post(gateway)).isEqualTo(502);
                String line = first;
                while (!line.contains("\"kind\":\"failed\"")) {
                    line = lines.readLine();
                    assertThat(line).isNotNull();
                }
                assertThat(line).contains("ended as failed (connect): unknown host penstock-test.invalid:80");
            }
        }
    }
}
