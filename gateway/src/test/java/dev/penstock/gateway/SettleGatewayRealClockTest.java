package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.Accounting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow with settle, in front of a target that accepts payments and closes connections without an answer. */
@Timeout(300)
class SettleGatewayRealClockTest {
    private static final String SETTLE = "settle: { url: \"%s/status/{Idempotency-Key}\", after: %s }";

    @TempDir
    Path folder;

    private final Map<String, Integer> applied = new ConcurrentHashMap<>();
    private final List<String> questioners = new CopyOnWriteArrayList<>();
    private final AtomicInteger posts = new AtomicInteger();
    private volatile boolean takes;
    private volatile int losses;
    private HttpServer server;
    private String host;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/pay", this::pay);
        server.createContext("/status/", this::status);
        server.start();
        host = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void pay(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        boolean lost = posts.incrementAndGet() <= losses;
        if (takes || !lost) {
            applied.merge(exchange.getRequestHeaders().getFirst("Idempotency-Key"), 1, Integer::sum);
        }
        if (lost) {
            exchange.close();
        } else {
            answer(exchange, 201, "paid");
        }
    }

    private void status(HttpExchange exchange) throws IOException {
        questioners.add(Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "nobody"));
        String key = exchange.getRequestURI().getPath().substring("/status/".length());
        boolean there = applied.containsKey(key);
        answer(exchange, there ? 200 : 404, there ? "settled" : "none");
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Gateway gateway(String drain, String... lines) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: %s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s/pay", headers: { Authorization: Bearer b } } }
                    %s
                """.formatted(drain, host, String.join("\n    ", lines)));
    }

    private static HttpRequest payment(Gateway gateway, String key) {
        return HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
    }

    private static HttpResponse<String> pay(Gateway gateway, String key) throws Exception {
        return Running.CLIENT.send(payment(gateway, key), BodyHandlers.ofString());
    }

    private static Accounting account(Gateway gateway) {
        return gateway.flows().getFirst().snapshot().account();
    }

    @Test
    void answersTransactionThatTookEffectWithItsStatus() throws Exception {
        losses = 1;
        takes = true;
        try (Gateway gateway = gateway("60s", "retry: { attempts: 3 }", SETTLE.formatted(host, "1ms"))) {
            HttpResponse<String> answer = pay(gateway, "k-1");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("settled");
            assertThat(answer.headers().firstValue("Penstock-Ending")).hasValue("answered");
            assertThat(applied).isEqualTo(Map.of("k-1", 1));
            assertThat(questioners).containsExactly("Bearer b");
            assertThat(Running.get(gateway.adminAddress() + "flows").body())
                    .contains("\"1 queries: 1 answered, 0 not there, 0 still unknown\"");
            assertThat(Running.get(gateway.adminAddress() + "settings").body())
                    .contains("\"settle.url\",\"value\":\"" + host + "/status/{Idempotency-Key}\"");
        }
    }

    @Test
    void retriesTransactionNotFound() throws Exception {
        losses = 2;
        try (Gateway gateway = gateway("60s", "retry: { attempts: 3 }", SETTLE.formatted(host, "1ms"))) {
            assertThat(pay(gateway, "k-1").body()).isEqualTo("paid");
            assertThat(applied).isEqualTo(Map.of("k-1", 1));
            assertThat(posts).hasValue(3);
        }
    }

    @Test
    void transactionNotFoundAndNotRetriedFails() throws Exception {
        losses = 1;
        try (Gateway gateway = gateway("60s", SETTLE.formatted(host, "1ms"))) {
            HttpResponse<String> answer = pay(gateway, "k-1");
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(answer.body()).contains("\"cause\":\"not_there\"", "Send it again.");
            assertThat(Running.get(gateway.adminAddress() + "metrics").body())
                    .contains("{cause=\"not_there\",ending=\"failed\",flow=\"payments\"} 1.0");
            losses = 2;
            assertThat(pay(gateway, "..").statusCode()).isEqualTo(504);
            assertThat(questioners).hasSize(1);
        }
    }

    @Test
    void doesNotSendHeadersOfTheTargetToAnotherHost() throws Exception {
        losses = 1;
        String other = host.replace("127.0.0.1", "localhost");
        try (Gateway gateway = gateway("60s", SETTLE.formatted(other, "1ms"))) {
            assertThat(pay(gateway, "k-1").statusCode()).isEqualTo(502);
            assertThat(questioners).containsExactly("nobody");
        }
        posts.set(0);
        String settle = "settle: { url: \"" + host + "/status/{Idempotency-Key}\", after: 1ms,"
                + " headers: { authorization: Bearer c } }";
        try (Gateway gateway = gateway("60s", settle)) {
            assertThat(pay(gateway, "k-2").statusCode()).isEqualTo(502);
            assertThat(questioners).containsExactly("nobody", "Bearer c");
        }
    }

    @Test
    void retriesRequestDeclaredIdempotent() throws Exception {
        losses = 2;
        try (Gateway gateway = gateway("60s", "retry: { attempts: 3 }", "idempotent: true")) {
            assertThat(pay(gateway, "k-1").body()).isEqualTo("paid");
            assertThat(posts).hasValue(3);
        }
    }

    @Test
    void drainDoesNotWaitForLateStatusQueries() throws Exception {
        losses = 1;
        try (Gateway gateway = gateway("0s", SETTLE.formatted(host, "20s"))) {
            CompletableFuture<HttpResponse<String>> answer =
                    Running.CLIENT.sendAsync(payment(gateway, "k-1"), BodyHandlers.ofString());
            Running.until(() -> posts.get() == 1 && account(gateway).inFlight() == 1);
            Accounting account = Objects.requireNonNull(gateway.drain().get("payments"));
            assertThat(account.isSettled()).as(account.sentence()).isTrue();
            assertThat(account.unknown()).isEqualTo(1);
            assertThat(answer.get().statusCode()).isEqualTo(504);
            assertThat(questioners).isEmpty();
        }
    }
}
