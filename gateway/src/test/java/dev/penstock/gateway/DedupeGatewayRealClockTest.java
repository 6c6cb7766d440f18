package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow with dedupe, in front of a target that counts its requests. */
@Timeout(300)
class DedupeGatewayRealClockTest {
    @TempDir
    Path folder;

    private SlowTarget target;

    @BeforeEach
    void open() throws IOException {
        target = new SlowTarget();
    }

    @AfterEach
    void close() {
        target.close();
    }

    private static HttpRequest payment(Gateway gateway, String key, String body) {
        return HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpResponse<String> pay(Gateway gateway, String key, String body) throws Exception {
        return Running.CLIENT.send(payment(gateway, key, body), BodyHandlers.ofString());
    }

    @Test
    void processesAKeyOnceAcrossARestart() throws Exception {
        try (Gateway gateway = Running.gateway(folder, target, "dedupe: Idempotency-Key")) {
            assertThat(pay(gateway, "k-1", "x").body()).isEqualTo("done");
            HttpResponse<String> again = pay(gateway, "k-1", "x");
            assertThat(again.body()).isEqualTo("done");
            assertThat(again.headers().firstValue("Penstock-Ending")).hasValue("answered");
            assertThat(target.received).hasValue(1);
            HttpResponse<String> other = pay(gateway, "k-1", "y");
            assertThat(other.statusCode()).isEqualTo(502);
            assertThat(other.body()).contains("\"ending\":\"failed\",\"cause\":\"refused\"");
            URI admin = Objects.requireNonNull(gateway.adminAddress());
            String metrics = Running.get(admin.resolve("/metrics").toString()).body();
            assertThat(metrics)
                    .contains("penstock_dedupe_total{flow=\"payments\",result=\"first\"} 1.0")
                    .contains("penstock_dedupe_total{flow=\"payments\",result=\"repeated\"} 1.0")
                    .contains("penstock_dedupe_total{flow=\"payments\",result=\"refused\"} 1.0");
            gateway.drain()
                    .values()
                    .forEach(account -> assertThat(account.isSettled()).isTrue());
        }
        try (Gateway gateway = Running.gateway(folder, target, "dedupe: Idempotency-Key")) {
            assertThat(pay(gateway, "k-1", "x").body()).isEqualTo("done");
            assertThat(pay(gateway, "k-2", "x").body()).isEqualTo("done");
            assertThat(target.received).hasValue(2);
        }
        assertThat(folder.resolve("penstock-state.keys.db")).exists();
    }

    @Test
    void sendsConcurrentRequestsOfOneKeyOnce() throws Exception {
        try (Gateway gateway = Running.gateway(folder, target, "dedupe: { key: Idempotency-Key, keep: 1h }")) {
            target.hold();
            List<CompletableFuture<HttpResponse<String>>> callers = new ArrayList<>();
            for (int caller = 0; caller < 20; caller++) {
                callers.add(Running.CLIENT.sendAsync(payment(gateway, "k-1", "x"), BodyHandlers.ofString()));
            }
            Running.until(() -> gateway.flows().getFirst().snapshot().account().inFlight() == 20);
            target.release();
            for (CompletableFuture<HttpResponse<String>> caller : callers) {
                assertThat(caller.get().body()).isEqualTo("done");
            }
            assertThat(target.received).hasValue(1);
        }
    }

    @Test
    void doesNotStartWithUnusableStore() throws Exception {
        Files.createDirectory(folder.resolve("penstock-state.keys.db"));
        assertThatThrownBy(() -> Running.gateway(folder, target, "dedupe: Idempotency-Key"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot open the idempotency store file penstock-state.keys.db: ");
    }

    @Test
    void planShowsItAndOpensNothing() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), """
                flows:
                  a:
                    from: { http: { port: 8080, path: /a } }
                    to: { http: { url: "https://h/" } }
                    retry: { key: Idempotency-Key }
                    dedupe:
                      key: Idempotency-Key
                      per: Tenant, Shop
                      keep: 2h
                  b:
                    from: { http: { port: 8080, path: /b } }
                    to: { http: { url: "https://h/" } }
                    dedupe: { key: Order-Id, max_answer: 1MB }
                """);
        Path shared = Files.writeString(
                folder.resolve("shared.yaml"),
                Files.readString(file)
                        + "store: { url: \"jdbc:postgresql://db.example/keys?password=s3cr3t\", user: u, password: s3cr3t }\n");
        assertThat(GatewayPlan.of(FlowFile.read(shared).config()).text())
                .containsPattern(
                        "dedupe.store +table penstock_keys of jdbc:postgresql://db.example/keys +a store +file")
                .doesNotContain("s3cr3t");
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(text)
                .contains("meter > deadline > dedupe > retry > breaker > limit > target")
                .containsPattern("dedupe.key +Idempotency-Key per Tenant, Shop +a key +file")
                .containsPattern("dedupe.keep +120 min +1 s..366 d +file")
                .containsPattern("dedupe.max_answer +64 ?KB +0..16 MB +default")
                .containsPattern("dedupe.store +file penstock-state.keys.db +a store +default")
                .containsPattern("dedupe.max_answer +1 ?MB +0..16 MB +file")
                .contains("in penstock-state.keys.db: do not delete that file");
        assertThat(folder.resolve("penstock-state.keys.db")).doesNotExist();
    }
}
