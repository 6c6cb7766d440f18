package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a gateway with dedupe at random moments, while clients repeat each request until they know its ending. The target
 * receives no key twice, and every key gets an ending.
 *
 * <p>{@code -Dpenstock.kill.rounds=200} sets the number of kills.
 */
@Timeout(3_600)
class KillRoundsRealClockTest {
    private static final int ROUNDS = Integer.getInteger("penstock.kill.rounds", 10);
    private static final int KEYS_A_ROUND = 6;
    private static final int LONGEST_MS = 2_000;
    private static final int LONGEST_ANSWER_MS = 1_000;
    private static final int TRIES = 120;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final Random random = new Random(23);
    private HttpServer target;

    @SuppressWarnings("NullAway.Init") // by the first start
    private Process process;

    @SuppressWarnings("NullAway.Init") // by the first start
    private URI url;

    @BeforeEach
    void open() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", this::answer);
        target.start();
    }

    @AfterEach
    void close() {
        process.destroyForcibly();
        target.stop(0);
        client.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
            received.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
            LockSupport.parkNanos(1_000_000L * Math.floorMod(key.hashCode() * 7919, LONGEST_ANSWER_MS));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private void start(String store) throws IOException {
        Path file = Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                store: %s
                flows:
                  payments:
                    deadline: 3s
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    dedupe: Idempotency-Key
                """.formatted(
                        folder.resolve("state"), store, target.getAddress().getPort()));
        process = Serving.start(folder.resolve("err"), Map.of(), file.toString());
        String first = Objects.requireNonNull(process.inputReader().readLine(), () -> "it ended: " + err());
        url = URI.create(first.replaceAll("payments: (\\S+) .*", "$1"));
        String line = first;
        while (!line.startsWith("serving;")) {
            line = Objects.requireNonNull(process.inputReader().readLine(), () -> "it ended: " + err());
        }
    }

    private String err() {
        try {
            return Files.readString(folder.resolve("err"));
        } catch (IOException broken) {
            return broken.toString();
        }
    }

    /** The ending that an answer names; none where the gateway was killed. */
    private String post(String key) throws InterruptedException {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(url)
                            .header("Idempotency-Key", key)
                            .timeout(Duration.ofMinutes(1))
                            .POST(BodyPublishers.ofString("x"))
                            .build(),
                    BodyHandlers.ofString());
            return answer.headers().firstValue("Penstock-Ending").orElse("status " + answer.statusCode());
        } catch (IOException killed) {
            return "none";
        }
    }

    private List<Thread> postAll(List<String> keys, Map<String, String> endings, boolean spread) {
        List<Thread> callers = new ArrayList<>();
        for (String key : keys) {
            long nanos = spread ? random.nextInt(LONGEST_MS) * 1_000_000L : 0;
            callers.add(Thread.ofVirtual().start(() -> {
                LockSupport.parkNanos(nanos);
                try {
                    String ending = post(key);
                    synchronized (endings) {
                        endings.put(key, ending);
                    }
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        return callers;
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void noKeyIsSentTwiceFromTheEmbeddedStore() throws Exception {
        rounds("embedded");
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void noKeyIsSentTwiceFromPostgres() throws Exception {
        try (FreshSchema schema = RealPostgres.shared().schema()) {
            rounds("{ url: \"" + schema.url() + "\" }");
        }
    }

    private void rounds(String store) throws Exception {
        List<String> all = new ArrayList<>();
        List<String> before = List.of();
        Map<String, String> endings = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            start(store);
            // Requests left by the previous gateway are repeated at once, and again after the last round.
            List<Thread> callers = postAll(before, endings, false);
            List<String> keys = new ArrayList<>();
            for (int key = 0; key < KEYS_A_ROUND; key++) {
                keys.add("key-" + round + "-" + key);
            }
            callers.addAll(postAll(keys, endings, true));
            LockSupport.parkNanos(random.nextInt(LONGEST_MS) * 1_000_000L);
            process.destroyForcibly().waitFor();
            for (Thread caller : callers) {
                caller.join();
            }
            all.addAll(keys);
            before = keys;
        }
        start(store);
        Map<String, Integer> ended = new HashMap<>();
        for (String key : all) {
            ended.merge(endingOf(key), 1, Integer::sum);
        }
        System.out.printf("%d rounds, %d keys: %s, %d received%n", ROUNDS, all.size(), ended, received.size());
        received.forEach((key, times) -> assertThat(times).as(key).hasValue(1));
        assertThat(ended.keySet()).isSubsetOf("answered", "unknown");
        // A repeat of an answered request gets the same answer.
        assertThat(received).hasSizeGreaterThanOrEqualTo(ended.getOrDefault("answered", 0));
    }

    /** The last answer to a client that repeats rejected requests. */
    private String endingOf(String key) throws InterruptedException {
        String ending = post(key);
        for (int attempt = 0; attempt < TRIES && !ending.equals("answered") && !ending.equals("unknown"); attempt++) {
            LockSupport.parkNanos(250_000_000);
            ending = post(key);
        }
        return ending;
    }
}
