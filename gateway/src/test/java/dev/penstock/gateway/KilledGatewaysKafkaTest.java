package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kafka.kit.KafkaBroker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways with the same flows, HTTP to a topic and the topic to HTTP, are killed in turns under load; the broker too.
 * Every accepted transaction reaches the target, and its status says so.
 */
@Timeout(1_800)
class KilledGatewaysKafkaTest {
    private static final int CLIENTS = 16;
    private static final int IN_FLIGHT = 32;
    private static final long LONGEST_ANSWER_MS = 50;
    private static final long LONGEST_LIFE_MS = 8_000;

    /** For instance -Dpenstock.kills=40. */
    private static final int KILLS = Integer.getInteger("penstock.kills", 8);

    @TempDir
    Path folder;

    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    /** The paths of their statuses. */
    private final Map<String, String> accepted = new ConcurrentHashMap<>();

    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicReferenceArray<String> urls = new AtomicReferenceArray<>(new String[] {"", ""});
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final Semaphore asking = new Semaphore(CLIENTS);
    private volatile boolean posting = true;

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

    private Path flows(int gateway, String servers, HttpServer target, FreshSchema store) throws IOException {
        return Files.writeString(folder.resolve("flows-" + gateway + ".yaml"), """
                state: %1$s
                store: { url: "%5$s" }
                flows:
                  accept:
                    from: { http: { port: 0, path: /pay } }
                    to: { kafka: { url: "%2$s", topic: payments } }
                    status: 24h
                  carry:
                    from:
                      kafka:
                        url: "%2$s"
                        topic: payments
                        group: gateways
                        key: penstock_id
                        in_flight: %4$d
                        redeliver: { attempts: 1000 }
                        properties: { session.timeout.ms: 6000 }
                    to: { http: { url: "http://127.0.0.1:%3$d/" } }
                """.formatted(
                folder.resolve("state-" + gateway), servers, target.getAddress().getPort(), IN_FLIGHT, store.url()));
    }

    /** Posts as fast as the target takes requests, to both gateways in turn. */
    private void post() {
        while (posting) {
            int number = sent.incrementAndGet();
            if (accepted.size() - received.size() > 5_000) {
                pause(20);
                continue;
            }
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create(urls.get(number % 2)))
                        .timeout(Duration.ofSeconds(30))
                        .POST(HttpRequest.BodyPublishers.ofString("payment " + number))
                        .build();
                HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
                if (answer.statusCode() == 202) {
                    accepted.put(
                            "payment " + number,
                            answer.headers().firstValue("Location").orElseThrow());
                }
            } catch (IOException | IllegalArgumentException down) {
                pause(5);
            } catch (InterruptedException over) {
                return;
            }
        }
    }

    private ChildGateway start(int number, Path flows) throws IOException {
        ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), "-Xmx192m");
        urls.set(number, gateway.url());
        return gateway;
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void everyAcceptedTransactionReachesTheTarget() throws Exception {
        HttpServer target = Running.target(this::take);
        Map<Integer, ChildGateway> gateways = new HashMap<>();
        try (KafkaBroker broker = KafkaBroker.start();
                RealPostgres postgres = RealPostgres.start();
                FreshSchema store = postgres.schema();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            broker.createTopic("payments", 3, Map.of());
            broker.createTopic("payments.DLQ", 1, Map.of());
            List<Path> flows =
                    List.of(flows(0, broker.servers(), target, store), flows(1, broker.servers(), target, store));
            gateways.put(0, start(0, flows.get(0)));
            gateways.put(1, start(1, flows.get(1)));
            for (int n = 0; n < CLIENTS; n++) {
                clients.execute(this::post);
            }
            for (int kill = 0; kill < KILLS; kill++) {
                pause(random.nextLong(LONGEST_LIFE_MS));
                if (kill % 4 == 3) {
                    broker.restart();
                } else {
                    Objects.requireNonNull(gateways.get(kill % 2)).close();
                    gateways.put(kill % 2, start(kill % 2, flows.get(kill % 2)));
                }
            }
            pause(LONGEST_LIFE_MS);
            posting = false;
            Running.until(
                    () -> received.keySet().containsAll(accepted.keySet()),
                    () -> "seed " + seed + ": not all of " + accepted.size() + " were received");
            assertThat(deadLetters(broker)).isZero();
            for (Future<String> status : clients.invokeAll(
                    accepted.values().stream().map(this::awaitAnswered).toList())) {
                assertThat(status.get()).startsWith("/transactions/");
            }
            long repeats = received.values().stream()
                    .mapToLong(times -> times.get() - 1)
                    .sum();
            System.out.println(accepted.size() + " accepted, " + KILLS + " kills, 0 lost, " + repeats + " repeated");
        } finally {
            posting = false;
            gateways.values().forEach(ChildGateway::close);
            target.stop(0);
        }
    }

    /** Waits until either gateway says that a transaction was answered. */
    private Callable<String> awaitAnswered(String path) {
        URI status = URI.create(urls.get(path.hashCode() & 1)).resolve(path);
        return () -> {
            asking.acquire();
            try {
                while (!Running.get(status.toString()).body().contains("\"ending\":\"answered\"")) {
                    pause(20);
                }
                return path;
            } finally {
                asking.release();
            }
        };
    }

    private static long deadLetters(KafkaBroker broker) {
        Map<String, Object> settings = Map.of("bootstrap.servers", broker.servers());
        TopicPartition letters = new TopicPartition("payments.DLQ", 0);
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            return consumer.endOffsets(List.of(letters)).getOrDefault(letters, -1L);
        }
    }
}
