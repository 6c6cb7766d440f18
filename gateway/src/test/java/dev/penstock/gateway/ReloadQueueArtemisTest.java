package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow from a queue is replaced while messages are on their way. */
@Timeout(300)
class ReloadQueueArtemisTest {
    private static final int ORDERS = 200;
    private static final int EACH = 10;

    @TempDir
    Path folder;

    private final Map<String, LongAdder> delivered = new ConcurrentSkipListMap<>();

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            delivered.computeIfAbsent(body, first -> new LongAdder()).increment();
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private static String file(HttpServer target, int seconds) {
        return """
                flows:
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { jms: { url: embedded, queue: orders } }
                  carry:
                    from: { jms: { url: embedded, queue: orders } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    deadline: %ds
                """.formatted(target.getAddress().getPort(), seconds);
    }

    @Test
    void eachMessageIsProcessedOnce() throws Exception {
        HttpServer target = Running.target(this::answer);
        Path file = Files.writeString(folder.resolve("flows.yaml"), file(target, 60));
        try (Gateway gateway = Gateway.start(file, FlowFile.read(file), () -> {})) {
            String url = Running.url(gateway);
            for (int n = 0; n < ORDERS; n++) {
                if (n % EACH == 0) {
                    Files.writeString(file, file(target, 30 + n / EACH));
                    assertThat(gateway.reload("a test").flows())
                            .containsExactly("flow carry: built anew", "1 flow unchanged");
                }
                HttpRequest order = HttpRequest.newBuilder(URI.create(url))
                        .POST(HttpRequest.BodyPublishers.ofString("order " + n))
                        .build();
                assertThat(Running.CLIENT.send(order, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(202);
            }
            Running.until(
                    () -> delivered.size() == ORDERS,
                    () -> delivered.size() + " of " + ORDERS + "; "
                            + gateway.flows().getLast().snapshot().counters("messages"));
            assertThat(gateway.outages()).isEmpty();
            gateway.drain()
                    .values()
                    .forEach(account -> assertThat(account.isSettled()).isTrue());
        } finally {
            target.stop(0);
        }
        assertThat(delivered.values())
                .allSatisfy(times -> assertThat(times.sum()).isOne());
    }

    @Test
    void theFirstQueueStartsTheEmbeddedBroker() throws Exception {
        HttpServer target = Running.target(this::answer);
        String yaml = file(target, 60);
        String without = yaml.substring(0, yaml.indexOf("  accept:"))
                + """
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                """.formatted(target.getAddress().getPort());
        Path file = Files.writeString(folder.resolve("flows.yaml"), without);
        try (Gateway gateway = Gateway.start(file, FlowFile.read(file), () -> {})) {
            Files.writeString(file, yaml);
            assertThat(gateway.reload("a test").flows())
                    .containsExactly("flow accept: built anew", "flow carry: added", "0 flows unchanged");
            assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(202);
            Running.until(() -> delivered.size() == 1);
            Files.writeString(file, without);
            assertThat(gateway.reload("a test").flows())
                    .containsExactly("flow accept: built anew", "flow carry: removed", "0 flows unchanged");
            assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(204);
        } finally {
            target.stop(0);
        }
    }
}
