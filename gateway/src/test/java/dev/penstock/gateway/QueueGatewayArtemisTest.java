package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.FlowFile;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From HTTP to a queue of the broker in this process. */
@Timeout(60)
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
    void whatIsAnsweredIsInTheJournalAndPendingAlsoAfterARestart() throws Exception {
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
    void whatIsNoIdIsNotFound() throws Exception {
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
    void withoutAStatusThereIsNoPlaceToLook() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE + "    status: off\n")) {
            HttpResponse<String> accepted = order(gateway);
            assertThat(accepted.statusCode()).isEqualTo(202);
            assertThat(accepted.headers().firstValue("Location")).isEmpty();
        }
        assertThat(folder.resolve("penstock-state.keys.mv.db")).doesNotExist();
    }

    @Test
    void whatIsRepeatedByItsKeyIsInTheQueueOnce() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE + "    dedupe: Idempotency-Key\n")) {
            String first = order(gateway).headers().firstValue("Location").orElseThrow();
            assertThat(order(gateway).headers().firstValue("Location")).hasValue(first);
        }
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder.resolve("penstock-state.broker"))) {
            assertThat(broker.count("orders")).isEqualTo(1);
        }
    }

    @Test
    void aBrokerThatIsAwayTakesNothing() throws Exception {
        try (Gateway gateway = Running.gateway(folder, FILE.replace("embedded", "\"tcp://127.0.0.1:1\""))) {
            HttpResponse<String> refused = order(gateway);
            assertThat(refused.statusCode()).isEqualTo(502);
            assertThat(refused.body()).contains("\"ending\":\"failed\",\"cause\":\"connect\"");
        }
    }

    @Test
    void aPlanStartsNoBroker() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), FILE);
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(text)
                .contains("-> queue orders of embedded\n")
                .containsPattern("broker +in process")
                .containsPattern("status.keep +1440 min +1 s..366 d +default");
        try (var files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactly("f.yaml");
        }
    }
}
