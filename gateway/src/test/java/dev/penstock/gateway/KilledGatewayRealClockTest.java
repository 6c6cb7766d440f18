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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * Kills a gateway that answers 202 at random moments under load. Every accepted transaction reaches its true
 * ending.
 */
@Timeout(1_800)
class KilledGatewayRealClockTest {
    private static final int CLIENTS = 16;
    private static final long LONGEST_ANSWER_MS = 50;
    private static final long LONGEST_LIFE_MS = 1_500;

    /** The requests of one client. */
    private static final int MOST_PENDING = 10;

    /** For instance -Dpenstock.kills=200. */
    private static final int KILLS = Integer.getInteger("penstock.kills", 8);

    @TempDir
    Path folder;

    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    /** The body of each transaction that was accepted, by the path of its status. */
    private final Map<String, String> accepted = new ConcurrentHashMap<>();

    /** The paths of statuses that have shown an ending. */
    private final Set<String> ended = ConcurrentHashMap.newKeySet();

    private final Queue<String> pending = new ConcurrentLinkedQueue<>();
    private final Queue<String> lost = new ConcurrentLinkedQueue<>();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
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

    /**
     * Posts while few of its transactions are pending, so that each gateway has little more to do than the work that the kill
     * before interrupted. Does not count unanswered requests.
     */
    private void post() {
        Deque<String> open = new ArrayDeque<>();
        while (posting) {
            try {
                if (open.size() < MOST_PENDING) {
                    accept().ifPresent(open::add);
                } else if (!isPending(open.peek())) {
                    open.remove();
                } else {
                    pause(20);
                }
            } catch (IOException down) {
                pause(5);
            } catch (InterruptedException over) {
                return;
            }
        }
    }

    /** The status path of a new transaction; empty if it is not accepted. */
    private Optional<String> accept() throws IOException, InterruptedException {
        String body = "payment " + sent.incrementAndGet();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 202) {
            return Optional.empty();
        }
        String location = answer.headers().firstValue("Location").orElseThrow();
        accepted.put(location, body);
        return Optional.of(location);
    }

    /** Whether the status has shown no ending yet; asks only until it has. */
    private boolean isPending(String location) throws IOException, InterruptedException {
        if (ended.contains(location)) {
            return false;
        }
        String status = status(location);
        if (!status.startsWith("404") && !hasEnded(status)) {
            return true;
        }
        ended.add(location);
        return false;
    }

    /** A starting gateway may answer too, with another code. */
    private static boolean hasEnded(String status) {
        return status.startsWith("200") && !status.contains("\"ending\":\"pending\"");
    }

    /** Whether a transaction was answered, and the target has received it. */
    private void check(String location) throws IOException, InterruptedException {
        String body = accepted.get(location);
        String status = status(location);
        if (status.startsWith("404")) {
            lost.add(body);
        } else if (!hasEnded(status)) {
            pending.add(body + ": " + status);
        } else if (!status.contains("\"ending\":\"answered\"") || !received.containsKey(body)) {
            wrong.add(body + ": " + status + ", received " + received.get(body));
        }
    }

    private String status(String location) throws IOException, InterruptedException {
        HttpResponse<String> status =
                Running.get(URI.create(url).resolve(location).toString());
        return status.statusCode() + " " + status.body();
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void everyAcceptedTransactionReachesItsTrueEnding() throws Exception {
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
            for (String location : accepted.keySet()) {
                awaitEnding(location);
            }
            // Checks all again, because a later kill must not remove an ending.
            for (String location : accepted.keySet()) {
                check(location);
            }
            System.out.println(told());
            assertThat(pending).as(told()).isEmpty();
            assertThat(lost).as(told()).isEmpty();
            assertThat(wrong).as(told()).isEmpty();
            assertThat(accepted).isNotEmpty();
            gateway.stop();
        }
    }

    private void awaitEnding(String location) {
        Running.until(
                () -> {
                    try {
                        return !isPending(location);
                    } catch (IOException | InterruptedException broken) {
                        throw new AssertionError(broken);
                    }
                },
                () -> accepted.get(location) + " stays pending; " + told());
    }

    private String told() {
        long repeated =
                received.values().stream().filter(count -> count.get() > 1).count();
        return "seed " + seed + ": " + KILLS + " kills, " + accepted.size() + " accepted, " + received.size()
                + " received, of which " + repeated + " more than once with their key; " + pending.size() + " pending, "
                + lost.size() + " lost, " + wrong.size() + " wrong";
    }
}
