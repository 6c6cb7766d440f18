package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A target that answers with errors. */
@Timeout(120)
class AnswersRealClockTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path folder;

    private final AtomicInteger received = new AtomicInteger();
    private volatile int status = 500;
    private volatile int failures = Integer.MAX_VALUE;
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        server = Running.target(exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Retry-After", "0");
                exchange.sendResponseHeaders(received.getAndIncrement() < failures ? status : 204, -1);
            }
        });
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private Gateway gateway(String... lines) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 5s }
                state: "%s"
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/v1" } }
                    %s
                """.formatted(
                        folder.resolve("state"), server.getAddress().getPort(), String.join("\n    ", lines)));
    }

    private static HttpResponse<String> post(Gateway gateway, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .POST(HttpRequest.BodyPublishers.ofString("{}"));
        return Running.CLIENT.send(
                (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    @Test
    void everyErrorOfTheTargetIsVisible() throws Exception {
        try (Gateway gateway = gateway()) {
            for (int i = 0; i < 60; i++) {
                assertThat(post(gateway).statusCode()).isEqualTo(500);
            }
            JsonNode flow = JSON.readTree(
                            Running.get(gateway.adminAddress() + "flows").body())
                    .get("flows")
                    .get(0);
            assertThat(flow.get("answers").get("500").asLong()).isEqualTo(60);
            assertThat(flow.get("bottleneck").get("sentence").asString())
                    .startsWith("the target answered 100 % of recent calls with 5xx; the last one was 500");
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("penstock_target_answers_total{flow=\"payments\",status=\"500\"} 60.0");
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(60);
        }
    }

    @Test
    void configuredAnswersAreRepeatedForRequestsWithAKey() throws Exception {
        status = 503;
        failures = 1;
        try (Gateway gateway = gateway("retry: { key: Idempotency-Key, answers: [429, 503] }")) {
            assertThat(post(gateway).statusCode()).isEqualTo(503);
            received.set(0);
            assertThat(post(gateway, "Idempotency-Key", "k").statusCode()).isEqualTo(204);
            assertThat(received).hasValue(2);
        }
    }
}
