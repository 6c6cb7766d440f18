package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that answers 202 is killed at random moments under load. Each transaction that it accepted reaches an ending, and
 * the one that is true.
 */
@Timeout(1_800)
class KilledGatewayRealClockTest {
    private static final int CLIENTS = 16;
    private static final long LONGEST_ANSWER_MS = 50;
    private static final long LONGEST_LIFE_MS = 1_500;

    /** For instance -Dpenstock.kills=200. */
    private static final int KILLS = Integer.getInteger("penstock.kills", 8);

    @TempDir
    Path folder;

    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    /** The body of each transaction that was accepted, by the path of its status. */
    private final Map<String, String> accepted = new ConcurrentHashMap<>();

    private final AtomicInteger sent = new AtomicInteger();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private volatile String url = "";
    private volatile boolean posting = true;
    private HttpServer target;

    @BeforeEach
    void open() throws IOException {
        target = Running.target(this::take);
    }

    @AfterEach
    void close() {
        target.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.computeIfAbsent(body, first -> new AtomicInteger()).incrementAndGet();
            pause(Math.floorMod(body.hashCode() * 31L, LONGEST_ANSWER_MS));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    private static void pause(long millis) {
        try {
            new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private Path flows() throws IOException {
        return Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                flows:
                  accept:
                    from: { http: { port: 0, path: /pay } }
                    to: { jms: { url: embedded, queue: payments } }
                  carry:
                    from: { jms: { url: embedded, queue: payments, key: JMSMessageID, redeliver: { attempts: 1000 } } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                """.formatted(
                        folder.resolve("state"), target.getAddress().getPort()));
    }

    /** Posts without an end; what is not answered is not counted. */
    private void post() {
        while (posting) {
            String body = "payment " + sent.incrementAndGet();
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(30))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
                HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
                if (answer.statusCode() == 202) {
                    accepted.put(answer.headers().firstValue("Location").orElseThrow(), body);
                }
            } catch (IOException down) {
                pause(5);
            } catch (InterruptedException over) {
                return;
            }
        }
    }

    private String status(String location) {
        try {
            HttpResponse<String> status =
                    Running.get(URI.create(url).resolve(location).toString());
            return status.statusCode() + " " + status.body();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void eachAcceptedTransactionReachesATrueEnding() throws Exception {
        Path flows = flows();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int kills = 0; kills < KILLS; kills++) {
                try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), "-Xmx192m")) {
                    url = gateway.url();
                    for (int n = 0; kills == 0 && n < CLIENTS; n++) {
                        clients.execute(this::post);
                    }
                    pause(random.nextLong(LONGEST_LIFE_MS));
                }
            }
            posting = false;
        }
        try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), "-Xmx192m")) {
            url = gateway.url();
            // All that was accepted before stands before this one in the queue.
            Running.until(
                    () -> accepted.keySet().stream().noneMatch(id -> status(id).contains("pending")), () -> told(seed));
            List<String> wrong = new ArrayList<>();
            accepted.forEach((id, body) -> {
                String status = status(id);
                if (!status.contains("\"ending\":\"answered\"") || !received.containsKey(body)) {
                    wrong.add(body + ": " + status + ", received " + received.get(body));
                }
            });
            System.out.println(told(seed));
            assertThat(wrong).as(told(seed)).isEmpty();
            assertThat(accepted).isNotEmpty();
            gateway.stop();
        }
    }

    private String told(long from) {
        long pending = accepted.keySet().stream()
                .filter(id -> status(id).contains("pending"))
                .count();
        long repeated =
                received.values().stream().filter(count -> count.get() > 1).count();
        return "seed " + from + ": " + KILLS + " kills, " + accepted.size() + " accepted, " + received.size()
                + " received, of which " + repeated + " more than once with their key; " + pending + " pending";
    }
}
