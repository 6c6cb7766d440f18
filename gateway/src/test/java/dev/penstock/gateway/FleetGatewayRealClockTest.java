package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.FullRun;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Four gateways in processes of their own share a limit, while demand moves, one is killed, and their database stops. */
@Tag("full")
@Timeout(600)
class FleetGatewayRealClockTest {
    private static final int GATEWAYS = 4;
    private static final int TOTAL = 40;
    private static final int CLIENTS = 60;
    private static final int RATE = 50;
    private static final long OUTAGE_SECONDS = FullRun.ON ? 30 : 1;
    private static final long FOLLOWING_SECONDS = 2;
    private static final long STEP_SECONDS = FullRun.ON ? 10 : 2;

    @TempDir
    Path folder;

    private final RealPostgres postgres = RealPostgres.start();
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ChildGateway> gateways = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicIntegerArray wanted = new AtomicIntegerArray(GATEWAYS);
    private final Map<Integer, AtomicInteger> statuses = new ConcurrentHashMap<>();
    private final List<Thread> clients = new ArrayList<>();
    private String shared = "limit: { fleet: %d }".formatted(TOTAL);
    private volatile boolean posting = true;
    private FreshSchema schema;
    private HttpServer target;

    @BeforeEach
    void open(TestInfo test) throws Exception {
        if (test.getTags().contains("rate")) {
            shared = "rate: { fleet: %d/s }".formatted(RATE);
        }
        schema = postgres.schema();
        target = Running.target(this::answer);
        for (int i = 0; i < GATEWAYS; i++) {
            gateways.add(start(i));
        }
        for (int i = 0; i < GATEWAYS * CLIENTS; i++) {
            int gateway = i % GATEWAYS;
            int rank = i / GATEWAYS;
            clients.add(Thread.ofVirtual().start(() -> post(gateway, rank)));
        }
    }

    @AfterEach
    void close() throws Exception {
        posting = false;
        for (Thread client : clients) {
            client.interrupt();
            client.join();
        }
        gateways.forEach(ChildGateway::close);
        target.stop(0);
        http.close();
        postgres.close();
    }

    private ChildGateway start(int number) throws IOException {
        Path file = Files.writeString(folder.resolve("flows-%d.yaml".formatted(number)), """
                state: %s
                store: { url: "%s" }
                flows:
                  pay:
                    from: { http: { port: 0, path: / } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    %s
                """.formatted(
                        folder.resolve("state-" + number),
                        schema.url(),
                        target.getAddress().getPort(),
                        shared));
        return ChildGateway.start(file, folder.resolve("errors"));
    }

    private void answer(HttpExchange exchange) throws IOException {
        received.incrementAndGet();
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            pause(ThreadLocalRandom.current().nextInt(50, 150));
            inside.decrementAndGet();
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

    private void post(int gateway, int rank) {
        while (posting && !Thread.currentThread().isInterrupted()) {
            if (rank >= wanted.get(gateway)) {
                pause(20);
                continue;
            }
            try {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create(gateways.get(gateway).url()))
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
                int status = http.send(request, BodyHandlers.discarding()).statusCode();
                statuses.computeIfAbsent(status, first -> new AtomicInteger()).incrementAndGet();
                pause(status == 503 ? 20 : 0);
            } catch (IOException killed) {
                pause(50);
            } catch (InterruptedException over) {
                return;
            }
        }
    }

    /** Demand is at one gateway, and a little at the others. */
    private void demandAt(int gateway) {
        for (int i = 0; i < GATEWAYS; i++) {
            wanted.set(i, i == gateway ? CLIENTS : 2);
        }
    }

    private void awaitInside(int least) {
        long from = System.nanoTime();
        while (inside.get() < least) {
            pause(5);
        }
        System.out.printf(
                "%d in flight after %d ms%n",
                least, Duration.ofNanos(System.nanoTime() - from).toMillis());
    }

    /** The mean number in flight over some seconds. */
    private double mean(long seconds) {
        long sum = 0;
        long samples = 100 * seconds;
        for (int i = 0; i < samples; i++) {
            sum += inside.get();
            pause(10);
        }
        double mean = (double) sum / samples;
        System.out.printf("mean %.1f of %d, at most %d, %s%n", mean, TOTAL, most.get(), new TreeMap<>(statuses));
        return mean;
    }

    @Test
    void theTotalIsNeverExceededWhereverTheDemandIs() throws Exception {
        for (int step = 0; step < (FullRun.ON ? 8 : 3); step++) {
            demandAt(step % GATEWAYS);
            awaitInside(9 * TOTAL / 10);
            mean(FOLLOWING_SECONDS);
            mean(STEP_SECONDS);
        }
        assertThat(most).hasValueLessThanOrEqualTo(TOTAL);
        assertThat(statuses.keySet()).isSubsetOf(204, 503);
    }

    /** Calls that have their slots keep them when a share becomes smaller, so a little more than the rate may come. */
    @Tag("rate")
    @Test
    void theRateIsThatOfAllTogether() {
        demandAt(0);
        awaitReceived(2 * RATE);
        for (int step = 0; step < 3; step++) {
            demandAt(step);
            int before = received.get();
            long from = System.nanoTime();
            awaitReceived(before + 2 * RATE);
            double seconds = (System.nanoTime() - from) / 1e9;
            System.out.printf("%.1f of %d calls/s%n", 2 * RATE / seconds, RATE);
            assertThat(seconds).isGreaterThan(2 * 0.85);
        }
    }

    private void awaitReceived(int count) {
        while (received.get() < count) {
            pause(5);
        }
    }

    @Test
    void withoutItsDatabaseNobodyStops() throws Exception {
        for (int i = 0; i < GATEWAYS; i++) {
            wanted.set(i, CLIENTS / 2);
        }
        awaitInside(9 * TOTAL / 10);
        postgres.suspend();
        mean(OUTAGE_SECONDS);
        awaitInside(TOTAL / 2);
        assertThat(most).hasValueLessThanOrEqualTo(TOTAL);
        postgres.resume();
        demandAt(1);
        awaitInside(9 * TOTAL / 10);
        mean(STEP_SECONDS);
        assertThat(most).hasValueLessThanOrEqualTo(TOTAL);
        assertThat(statuses.keySet()).isSubsetOf(204, 503);
    }

    @Test
    void theShareOfAKilledGatewayGoesToTheOthers() throws Exception {
        demandAt(0);
        awaitInside(9 * TOTAL / 10);
        gateways.getFirst().kill();
        wanted.set(0, 0);
        wanted.set(1, CLIENTS);
        awaitInside(9 * TOTAL / 10);
        gateways.set(0, start(0));
        demandAt(0);
        awaitInside(9 * TOTAL / 10);
        mean(STEP_SECONDS);
        // Calls of the killed gateway are still at the target when its lease has ended.
        assertThat(most).hasValueLessThanOrEqualTo(TOTAL);
    }
}
