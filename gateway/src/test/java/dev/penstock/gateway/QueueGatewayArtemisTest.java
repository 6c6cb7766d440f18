package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchCounts;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.StablePort;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From HTTP to a queue of the embedded broker. */
@Timeout(300)
class QueueGatewayArtemisTest {
    private static final String FILE = """
            flows:
              orders:
                from: { http: { port: 0, path: /orders } }
                to: { jms: { url: embedded, queue: orders } }
            """;

    @TempDir
    Path folder;

    private static HttpResponse<String> order(Gateway gateway) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                .header("Idempotency-Key", "k-1")
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return Running.CLIENT.send(request, BodyHandlers.ofString());
    }

    private static String status(Gateway gateway, String path) {
        return URI.create(Running.url(gateway)).resolve(path).toString();
    }

    @Test
    void answeredTransactionIsInTheJournalAndPendingAfterARestart() throws Exception {
        String location;
        try (Gateway gateway = Running.gateway(folder, FILE)) {
            HttpResponse<String> accepted = order(gateway);
            assertThat(accepted.statusCode()).isEqualTo(202);
            assertThat(accepted.headers().firstValue("Penstock-Ending")).hasValue("answered");
            location = accepted.headers().firstValue("Location").orElseThrow();
            assertThat(location).startsWith("/transactions/");
            assertThat(UUID.fromString(location.substring(14)).version()).isEqualTo(7);
            HttpResponse<String> pending = Running.get(status(gateway, location));
            assertThat(pending.body()).isEqualTo("{\"id\":\"" + location.substring(14) + "\",\"ending\":\"pending\"}");
            gateway.drain()
                    .values()
                    .forEach(account -> assertThat(account.isSettled()).isTrue());
        }
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder.resolve("penstock-state.broker"))) {
            assertThat(broker.count("orders")).isEqualTo(1);
        }
        try (Gateway gateway = Running.gateway(folder, FILE)) {
            assertThat(Running.get(status(gateway, location)).body()).contains("\"ending\":\"pending\"");
        }
    }

    @Test
    void answers404ToInvalidId() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE)) {
            for (String path : new String[] {
                "/transactions",
                "/transactions/x",
                "/transactions/" + UUID.randomUUID(),
                "/transactions/" + new TransactionIds().next(System.currentTimeMillis()),
            }) {
                assertThat(Running.get(status(gateway, path)).statusCode()).isEqualTo(404);
            }
            assertThat(Running.method("DELETE", status(gateway, "/transactions/x"))
                            .statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void statusOffAnswersWithoutLocation() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE + "    status: off\n")) {
            HttpResponse<String> accepted = order(gateway);
            assertThat(accepted.statusCode()).isEqualTo(202);
            assertThat(accepted.headers().firstValue("Location")).isEmpty();
        }
        assertThat(folder.resolve("penstock-state.keys.db")).doesNotExist();
    }

    @Test
    void repeatedKeyIsQueuedOnce() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE + "    dedupe: Idempotency-Key\n")) {
            String first = order(gateway).headers().firstValue("Location").orElseThrow();
            assertThat(order(gateway).headers().firstValue("Location")).hasValue(first);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder.resolve("penstock-state.broker"))) {
            assertThat(broker.count("orders")).isEqualTo(1);
        }
    }

    @Test
    void writesConcurrentRequestsInFewCommitsAndAnswersEach() throws Exception {
        String more = "    limit: 4\n    collapse: { max: 20, budget: 2s }\n";
        try (Gateway gateway = Running.gateway(folder, FILE + more)) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int place = 0; place < 60; place++) {
                sent.add(Running.postLater(Running.url(gateway)));
            }
            Set<String> locations = new HashSet<>();
            for (CompletableFuture<HttpResponse<String>> one : sent) {
                assertThat(one.join().statusCode()).isEqualTo(202);
                locations.add(one.join().headers().firstValue("Location").orElseThrow());
            }
            assertThat(locations).hasSize(60);
            for (String location : locations) {
                assertThat(Running.get(status(gateway, location)).body()).contains("\"ending\":\"pending\"");
            }
            BatchCounts batches =
                    Objects.requireNonNull(gateway.flows().getFirst().snapshot().batches());
            assertThat(batches.count()).as("some shared a commit").isLessThan(60);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder.resolve("penstock-state.broker"))) {
            assertThat(broker.count("orders")).isEqualTo(60);
        }
    }

    @Test
    void batchNotSentToTheBrokerIsNotPending() throws Exception {
        String away = FILE.replace("embedded", "\"tcp://127.0.0.1:1\"") + "    collapse: { max: 20, budget: 200ms }\n";
        try (Gateway gateway = Running.gateway(folder, away)) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int place = 0; place < 10; place++) {
                sent.add(Running.postLater(Running.url(gateway)));
            }
            for (CompletableFuture<HttpResponse<String>> one : sent) {
                assertThat(one.join().statusCode()).isEqualTo(502);
                assertThat(one.join().body()).contains("\"ending\":\"failed\",\"cause\":\"connect\"");
            }
            assertThat(gateway.flows().getFirst().snapshot().account().failed()).isEqualTo(10);
        }
        try (Connection keys = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("penstock-state.keys.db"));
                ResultSet rows = keys.createStatement()
                        .executeQuery("select count(*) from penstock_keys where id like 'status/%'")) {
            rows.next();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    /** Without the folder for large messages, as on a disk without room, one cannot be stored. */
    @Test
    void recoversFromAnIoErrorWithoutARestart() throws Exception {
        Path broken = folder.resolve("penstock-state.broker/large-messages");
        try (Gateway gateway = Running.gateway(folder, FILE)) {
            assertThat(order(gateway).statusCode()).isEqualTo(202);
            assertThat(gateway.outages()).isEmpty();
            Files.delete(broken);
            HttpRequest large = HttpRequest.newBuilder(URI.create(Running.url(gateway)))
                    .header("Content-Type", "text/plain")
                    .POST(BodyPublishers.ofString("z".repeat(300_000)))
                    .build();
            HttpResponse<String> lost = Running.CLIENT.send(large, BodyHandlers.ofString());
            assertThat(lost.body()).contains("\"ending\":\"unknown\",\"cause\":\"error\"");
            assertThat(gateway.flows().getFirst().snapshot().reasons())
                    .anyMatch(last -> last.reason().sentence().contains("the embedded broker had an I/O error"));
            Running.until(() -> gateway.outages().isEmpty());
            assertThat(Running.CLIENT.send(large, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(202);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder.resolve("penstock-state.broker"))) {
            assertThat(broker.count("orders")).isEqualTo(2);
        }
    }

    @Test
    void failedStartStopsTheBroker() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), FILE.replace("port: 0", "port: " + StablePort.free()));
        GatewayConfig good = FlowFile.read(file).config();
        FlowConfig flow = good.flows().getFirst();
        GatewayConfig twice = new GatewayConfig(
                List.of(flow, flow),
                null,
                good.broker(),
                good.poolTotal(),
                good.memory(),
                good.drain(),
                good.state(),
                good.store(),
                good.telemetry(),
                good.transactions(),
                good.proves(),
                good.files());
        assertThatThrownBy(() -> Gateway.start(twice)).hasMessageContaining("is already used by another flow");
        EmbeddedBroker.in(folder.resolve("penstock-state.broker")).close();
    }

    @Test
    void unreachableBrokerAcceptsNothing() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE.replace("embedded", "\"tcp://127.0.0.1:1\""))) {
            HttpResponse<String> refused = order(gateway);
            assertThat(refused.statusCode()).isEqualTo(502);
            assertThat(refused.body()).contains("\"ending\":\"failed\",\"cause\":\"connect\"");
        }
    }

    @Test
    void idMakesUnknownTransactionsRepeatableIfTheBrokerDropsDuplicates() throws Exception {
        String retry = FILE + "    retry: { attempts: 2 }\n";
        assertThat(plan(retry)).contains("unknown endings by Penstock-Id");
        assertThat(plan(retry.replace("embedded", "\"amqp://127.0.0.1:1\""))).contains("only what was not sent");
        // A later request with the same key has another id.
        assertThat(plan(retry + "    dedupe: Idempotency-Key\n")).contains("only what was not sent");
    }

    private String plan(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), yaml);
        return GatewayPlan.of(FlowFile.read(file).config()).text();
    }

    @Test
    void planStartsNoBroker() throws Exception {
        assertThat(plan(FILE))
                .contains("-> queue orders of embedded\n")
                .containsPattern("broker +in process")
                .containsPattern("status +1440 min +off, false, or 1s..366d +default")
                .doesNotContain("Penstock-Id");
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactly("f.yaml");
        }
    }
}
