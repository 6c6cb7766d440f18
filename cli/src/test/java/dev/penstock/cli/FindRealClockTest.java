package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.observe.TransactionLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code penstock find}, with a running gateway and afterwards. */
@Timeout(120)
class FindRealClockTest {
    private static final Pattern INSTANCE = Pattern.compile("\"instance\":\"(urn:uuid:[0-9a-f-]{36})\"");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger calls = new AtomicInteger();
    private HttpServer target;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", this::receive);
        target.start();
        file = Files.writeString(
                folder.resolve("flows.yaml"), """
                admin: { port: 0 }
                transactions: { sample: all }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%1$d/pay" } }
                    retry: { attempts: 2, key: Idempotency-Key, answers: [503] }
                    dedupe: { key: Idempotency-Key }
                  orders:
                    from: { http: { port: 0, path: /order } }
                    to: { http: { url: "http://127.0.0.1:%1$d/order" } }
                    collapse: { url: "http://127.0.0.1:%1$d/orders", format: json-array }
                """.formatted(target.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        target.stop(0);
        client.close();
    }

    /** Cuts the connection, is busy once, or echoes. */
    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String text = new String(body, UTF_8);
            if (!text.equals("cut")) {
                boolean busy = text.equals("busy once") && calls.getAndIncrement() == 0;
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(busy ? 503 : 200, body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    private HttpResponse<String> post(Gateway gateway, int flow, String key, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(
                                URI.create(gateway.flows().get(flow).snapshot().from()))
                        .header("Idempotency-Key", key)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static Ran find(Object... arguments) {
        return Ran.run(
                new FindCommand(),
                List.of(arguments).stream().map(String::valueOf).toArray(String[]::new));
    }

    @Test
    void theLifeOfATransactionIsFound() throws Exception {
        String instance;
        try (Gateway gateway = Gateway.start(FlowFile.read(file).config())) {
            String admin = Objects.requireNonNull(gateway.adminAddress()).toString();
            assertThat(post(gateway, 0, "k-busy", "busy once").statusCode()).isEqualTo(200);
            assertThat(post(gateway, 0, "k-fine", "fine").statusCode()).isEqualTo(200);
            assertThat(post(gateway, 0, "k-fine", "fine").statusCode()).isEqualTo(200);
            assertThat(post(gateway, 1, "k-order", "7").body()).isEqualTo("7");
            HttpResponse<String> cut = post(gateway, 0, "k-cut", "cut");
            assertThat(cut.statusCode()).isEqualTo(504);
            Matcher named = INSTANCE.matcher(cut.body());
            assertThat(named.find()).as(cut.body()).isTrue();
            instance = named.group(1);

            Ran running = find(instance, admin);
            assertThat(running.code()).as(running.err()).isZero();
            assertThat(running.out())
                    .contains("flow payments: unknown (closed) after ", "attempt 1: unknown (closed)", "attempt 2: ")
                    .contains("hash of the key " + TransactionLog.hash("k-cut"))
                    .contains(instance.replace("urn:uuid:", "id "));
            assertThat(find("k-cut", admin).out())
                    .contains("unknown (closed)")
                    .contains("key store of flow payments: a transaction with this key has ended");
            assertThat(find("--ending", "unknown", "--since", "10m", admin).out())
                    .contains("unknown (closed)");
            assertThat(find("k-never", admin).code()).isEqualTo(1);
            assertThat(get(admin + "flows")).contains("\"transaction_records\":{");
            assertThat(get(admin + "metrics"))
                    .contains("penstock_transaction_records_total{flow=\"payments\",result=\"dropped\"} 0.0");
            gateway.drain();
        }
        Ran busy = find("k-busy", file);
        assertThat(busy.err()).contains("no fixed admin port");
        assertThat(busy.out())
                .contains(
                        "asked the key store",
                        "attempt 1: answered with status 503",
                        "paused before the next attempt",
                        "attempt 2: answered with status 200")
                .containsPattern(
                        "http://127.0.0.1:\\d+/pay: .*send .* ms, until the first byte .* ms.* 9 bytes sent, 9 bytes received")
                .contains("ended: answered with status 200");
        assertThat(find("k-fine", folder).out().lines().filter(line -> line.contains("flow payments")))
                .hasSize(2);
        assertThat(find("k-fine", folder).out()).containsOnlyOnce("attempt 1");
        assertThat(find("--flow", "orders", folder).out()).containsPattern("sent in batch [0-9a-f-]{36} of 1 requests");
        assertThat(find(instance, folder.resolve("transactions.jsonl")).out()).contains("unknown (closed)");
        assertThat(find("--ending", "rejected", folder).code()).isEqualTo(1);
    }

    private String get(String url) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                .body();
    }

    @Test
    void aMessageKeepsTheIdOfItsRequestUntilItIsADeadLetter() throws Exception {
        Files.writeString(file, """
                admin: { port: 0 }
                transactions: { sample: all }
                flows:
                  accept:
                    from: { http: { port: 0, path: /accept } }
                    to: { jms: { url: embedded, queue: accepted } }
                  deliver:
                    from: { jms: { url: embedded, queue: accepted } }
                    to: { http: { url: "http://127.0.0.1:%d/pay" } }
                """.formatted(target.getAddress().getPort()));
        try (Gateway gateway = Gateway.start(FlowFile.read(file).config())) {
            String admin = Objects.requireNonNull(gateway.adminAddress()).toString();
            HttpResponse<String> accepted = post(gateway, 0, "k-1", "cut");
            assertThat(accepted.statusCode()).isEqualTo(202);
            String id = accepted.headers().firstValue("Location").orElseThrow().replaceFirst(".*/", "");
            String found = "";
            while (!found.contains("dead letters of flow deliver: unknown (closed) after ")
                    || !found.contains("status store of flow accept: unknown (closed)")) {
                found = find(id, admin).out();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            assertThat(found).contains("flow deliver: unknown (closed) after ", "attempt 1: unknown (closed)");
            gateway.drain();
            gateway.close();
            assertThat(find(id, folder).out())
                    .containsSubsequence("flow accept: answered", "flow deliver: unknown (closed)");
        }
    }

    @Test
    void rotatedFilesAndCutLinesAreRead() throws Exception {
        String line =
                "{\"at\":\"2026-01-01T00:00:0%d.000Z\",\"id\":\"i%1$d\",\"flow\":\"f\",\"ms\":1.0,\"ending\":\"failed\"}%n";
        Files.writeString(folder.resolve("transactions.jsonl.1"), line.formatted(1) + "{\"id\":\"i1\",\"fl");
        Files.writeString(folder.resolve("transactions.jsonl"), line.formatted(2));
        assertThat(find("--flow", "f", folder.resolve("transactions.jsonl")).out())
                .containsSubsequence("2026-01-01T00:00:01Z  flow f: failed", "2026-01-01T00:00:02Z  flow f: failed");
        assertThat(find("i1", folder).out()).contains("id i1").doesNotContain("id i2");
    }

    @Test
    void wrongUsageSaysWhatToWrite() throws Exception {
        assertThat(find(folder).err()).contains("give an id or a key before the place");
        assertThat(find("--ending", "lost", folder).err())
                .contains("--ending must be answered, rejected, failed or unknown");
        Files.writeString(file, "flows: {}");
        assertThat(find("i1", file).code()).isEqualTo(78);
    }
}
