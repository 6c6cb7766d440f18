package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kafka.kit.KafkaBroker;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One gateway accepts transactions for a topic, another one processes them; their endings are in a PostgreSQL database. */
@Timeout(300)
class KafkaStatusBrokerTest {
    @TempDir
    Path folder;

    private Gateway gateway(String name, FreshSchema store, String flow) throws Exception {
        String file = "store: { url: \"" + store.url() + "\" }\nflows:\n  " + name + ":\n" + flow.indent(4);
        return Running.gateway(Files.createDirectories(folder.resolve(name)), file);
    }

    /** The URL of the status of a transaction. */
    private static String accepted(Gateway gateway, String body) throws Exception {
        URI url = URI.create(Running.url(gateway));
        HttpResponse<String> accepted = Running.CLIENT.send(
                HttpRequest.newBuilder(url).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
        assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(202);
        return url.resolve(accepted.headers().firstValue("Location").orElseThrow())
                .toString();
    }

    private static String status(String url) {
        try {
            return Running.get(url).body();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void theAcceptingGatewayKnowsHowATransactionEnded() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        HttpServer target = Running.target(exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try (exchange) {
                open.await();
                byte[] answer = ("done " + body).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(body.equals("bad") ? 503 : 201, answer.length);
                exchange.getResponseBody().write(answer);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        });
        try (KafkaBroker broker = KafkaBroker.start();
                RealPostgres postgres = RealPostgres.start();
                FreshSchema store = postgres.schema()) {
            broker.createTopic("orders", 3, Map.of());
            broker.createTopic("orders.DLQ", 1, Map.of());
            String topic = "url: \"" + broker.servers() + "\", topic: orders";
            try (Gateway accept = gateway("accept", store, """
                            from: { http: { port: 0, path: /orders } }
                            to: { kafka: { %s } }
                            status: 24h
                            """.formatted(topic));
                    Gateway process = gateway("process", store, """
                            from: { kafka: { %s, group: g, key: penstock_id, redeliver: { attempts: 1 } } }
                            to: { http: { url: "http://127.0.0.1:%d/" } }
                            status: 24h
                            """.formatted(
                                    topic, target.getAddress().getPort()))) {
                String good = accepted(accept, "good");
                String bad = accepted(accept, "bad");
                Running.until(
                        () -> process.flows().getFirst().snapshot().account().inFlight() == 2);
                assertThat(status(good)).contains("\"ending\":\"pending\"");
                open.countDown();
                Running.until(() -> status(good).contains("\"ending\":\"answered\",\"reply\":{\"status\":201"));
                assertThat(status(good)).contains("done good");
                Running.until(() -> status(bad).contains("\"ending\":\"failed\",\"cause\":\"rolled_back\""));
            }
        } finally {
            open.countDown();
            target.stop(0);
        }
    }
}
