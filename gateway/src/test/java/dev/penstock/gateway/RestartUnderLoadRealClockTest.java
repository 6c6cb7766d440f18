package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills or drains a gateway whose limit has grown, and restarts it under the same load: it serves as many from the
 * first second as before. Each client waits for its answer before it sends again, so at most {@value #CLIENTS} are in
 * flight on any machine.
 */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class RestartUnderLoadRealClockTest {
    /** More than the initial limit of 200. */
    private static final int CLIENTS = 400;

    /** The restored limit may be 5 % lower than the limit reached. */
    private static final int GROWN = 380;

    private static final int ANSWERS_EACH = 3;
    private static final long TARGET_NANOS = 1_000_000_000;
    private static final long PAUSE_NANOS = 50_000_000;
    private static final Pattern KEPT = Pattern.compile("(?m)^limit:pay@\\S+ (\\d+)$");

    @TempDir
    Path folder;

    private final AtomicInteger rejected = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer target;
    private ExecutorService threads;
    private Path flows;

    @BeforeEach
    void open() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        target.setExecutor(threads);
        target.createContext("/", RestartUnderLoadRealClockTest::answer);
        target.start();
        flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: "%s"
                flows:
                  pay:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                """.formatted(
                        folder.resolve("state"), target.getAddress().getPort()));
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        threads.shutdownNow();
        target.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            LockSupport.parkNanos(TARGET_NANOS);
            exchange.sendResponseHeaders(204, -1);
        }
    }

    @Test
    void killedGatewayRestartsWithLearnedLimit() throws Exception {
        try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("err"))) {
            growUntilKept(gateway.url());
        }
        rejectsOnlyAFew();
    }

    @Test
    void drainedGatewayRestartsWithLearnedLimit() throws Exception {
        try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("err"))) {
            growUntilKept(gateway.url());
            gateway.stop();
        }
        rejectsOnlyAFew();
    }

    private void growUntilKept(String url) throws Exception {
        AtomicBoolean grown = new AtomicBoolean();
        List<Future<?>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(threads.submit(() -> {
                while (!grown.get()) {
                    send(url);
                }
            }));
        }
        while (kept() < GROWN) {
            LockSupport.parkNanos(PAUSE_NANOS);
            assertThat(Thread.interrupted())
                    .as("timed out before the limit had grown")
                    .isFalse();
        }
        grown.set(true);
        for (Future<?> each : clients) {
            each.get();
        }
    }

    private int kept() throws IOException {
        Path state = folder.resolve("state");
        Matcher kept = KEPT.matcher(Files.exists(state) ? Files.readString(state) : "");
        return kept.find() ? Integer.parseInt(kept.group(1)) : 0;
    }

    /** Without a learned limit, half of the clients find no permit and are rejected until the limit has grown. */
    private void rejectsOnlyAFew() throws Exception {
        rejected.set(0);
        try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("err"))) {
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> {
                    int answers = 0;
                    while (answers < ANSWERS_EACH) {
                        answers += send(gateway.url()) ? 1 : 0;
                    }
                }));
            }
            for (Future<?> each : clients) {
                each.get();
            }
        }
        assertThat(rejected).hasValueLessThan(CLIENTS);
    }

    /** Whether the request was answered. Counts a rejection and pauses after it. */
    private boolean send(String url) {
        try {
            int status = client.send(
                            HttpRequest.newBuilder(URI.create(url))
                                    .timeout(Duration.ofMinutes(2))
                                    .POST(BodyPublishers.ofString("x"))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            if (status == 503) {
                rejected.incrementAndGet();
                LockSupport.parkNanos(PAUSE_NANOS);
                return false;
            }
            // The JDK server closes idle connections beyond 200, sometimes one that is being used.
            assertThat(status).isIn(204, 504);
            return true;
        } catch (IOException broken) {
            throw new AssertionError(broken);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new AssertionError(ended);
        }
    }
}
