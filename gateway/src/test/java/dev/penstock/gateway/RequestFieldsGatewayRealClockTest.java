package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of raw requests that a gateway relies on: keys of its flows, and Host on the admin port. */
@Timeout(120)
class RequestFieldsGatewayRealClockTest {
    @TempDir
    Path folder;

    private final List<String> received = new CopyOnWriteArrayList<>();
    private HttpServer target;
    private Gateway gateway;

    @BeforeEach
    void open() throws Exception {
        target = Running.target(exchange -> {
            try (exchange) {
                received.add(exchange.getRequestMethod());
                exchange.sendResponseHeaders(204, -1);
            }
        });
        gateway = Running.gateway(folder, """
                admin: { port: 0, hosts: panel.example }
                shutdown: { drain: 60s }
                state: %s
                flows:
                  keyed:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: "http://127.0.0.1:%d/v1" }
                    dedupe: { key: Idempotency-Key, per: Tenant }
                    retry: { key: X-Retry }
                    settle: { url: "http://127.0.0.1:1/{X-Ref}" }
                    queue: { priority: Urgency }
                  front:
                    from: { http: { port: 0, path: /pay } }
                    to: { flow: keyed }
                  plain:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: "http://127.0.0.1:%d/v1" }
                """.formatted(
                        folder.resolve("state"),
                        target.getAddress().getPort(),
                        target.getAddress().getPort()));
    }

    @AfterEach
    void close() {
        gateway.close();
        target.stop(0);
    }

    private static String answer(int port, String request) throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
            client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String post(String flow, String fields) throws IOException {
        String url = gateway.flows().stream()
                .filter(one -> one.name().equals(flow))
                .findFirst()
                .orElseThrow()
                .snapshot()
                .from();
        return answer(
                URI.create(url).getPort(),
                "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n" + fields + "Connection: close\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "Idempotency-Key: k;Connection: Idempotency-Key, Connection names Idempotency-Key",
        "X-Retry: k;Connection: X-Retry, Connection names X-Retry",
        "X-Ref: k;Connection: X-Ref, Connection names X-Ref",
        "Tenant: k;Connection: Tenant, Connection names Tenant",
        "Urgency: 1;Connection: Urgency, Connection names Urgency",
        "X-Ref: k;X-Ref: l, 2 fields X-Ref",
        "X-Retry:, X-Retry is empty",
    })
    void aRequestWhoseKeyIsInDoubtReachesNoFlow(String fields, String why) throws Exception {
        String lines = fields.replace(";", "\r\n") + "\r\n";
        for (String flow : List.of("keyed", "front")) {
            assertThat(post(flow, lines)).startsWith("HTTP/1.1 400 ").contains("application/problem+json", why);
        }
        assertThat(received).isEmpty();
        assertThat(post("plain", lines))
                .as("a flow that does not rely on it")
                .startsWith(fields.startsWith("Idem") ? "HTTP/1.1 400 " : "HTTP/1.1 204 ");
    }

    @Test
    void aRepeatedAnswerWithoutContentHasNoLength() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertThat(post("keyed", "Idempotency-Key: k\r\nTenant: t\r\n"))
                    .startsWith("HTTP/1.1 204 ")
                    .doesNotContain("Content-Length");
        }
        assertThat(received).hasSize(1);
    }

    private String admin(String method, String path, String host) throws IOException {
        return answer(
                Objects.requireNonNull(gateway.adminAddress()).getPort(),
                method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/health",
                "/ready",
                "/metrics",
                "/flows",
                "/settings",
                "/schema",
                "/events",
                "/settings/plain/limit",
                "/x"
            })
    void noPageIsShownToAnotherSite(String path) throws Exception {
        for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE")) {
            assertThat(admin(method, path, "evil.example"))
                    .startsWith("HTTP/1.1 403 ")
                    .endsWith(method.equals("HEAD") ? "\r\n\r\n" : "add it to admin.hosts\n");
        }
        assertThat(admin("HEAD", path, "localhost"))
                .as("the answer to HEAD ends with its head")
                .endsWith("\r\n\r\n");
        if (!path.equals("/events")) {
            assertThat(admin("GET", path, "panel.example:9090")).doesNotStartWith("HTTP/1.1 403 ");
            assertThat(admin("GET", path, "localhost")).doesNotStartWith("HTTP/1.1 403 ");
        }
    }
}
