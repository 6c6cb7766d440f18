package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway starts with a backlog of messages, and clients post to the same target from its first second on: the backlog does
 * not flood the target, and the target's capacity is shared between the two.
 */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class BacklogShareRealClockTest {
    private static final int BACKLOG = 8_000;
    private static final int ACCEPTED_AT_ONCE = 20;
    private static final int CLIENTS = 40;
    private static final int WORKERS = 20;
    private static final long SERVICE_NANOS = 50_000_000;

    /** While the limit adapts, the target's own queue has more of the backlog. */
    private static final int ADAPTING = 4_000;

    /** How many calls of the target are looked at. Neither kind ends before. */
    private static final int CALLS = 1_500;

    /** The least share of each of the two flows. */
    private static final int SHARE = CALLS * 15 / 100;

    /** Far above the limit of 200 at the start, and far below the backlog. */
    private static final int MOST_AT_ONCE = 1_000;

    @TempDir
    Path folder;

    private final Semaphore workers = new Semaphore(WORKERS);
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger posts = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final AtomicInteger mostWhileCounted = new AtomicInteger();
    private final CountDownLatch enough = new CountDownLatch(ADAPTING + CALLS);
    private ExecutorService threads;
    private HttpServer target;

    @BeforeEach
    void open() throws IOException {
        threads = Executors.newVirtualThreadPerTaskExecutor();
        target = Running.target(this::answer);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        target.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            int now = atOnce.incrementAndGet();
            mostAtOnce.accumulateAndGet(now, Math::max);
            if (enough.getCount() <= CALLS) {
                mostWhileCounted.accumulateAndGet(now, Math::max);
            }
            workers.acquireUninterruptibly();
            LockSupport.parkNanos(SERVICE_NANOS);
            workers.release();
            atOnce.decrementAndGet();
            if (enough.getCount() > 0) {
                if (enough.getCount() <= CALLS) {
                    ("message".equals(body) ? messages : posts).incrementAndGet();
                }
                enough.countDown();
            }
            exchange.sendResponseHeaders(204, -1);
        }
    }

    @Test
    void aBacklogAndNewRequestsShareTheTarget() throws Exception {
        try (ChildGateway gateway = ChildGateway.start(flows("", ""), folder.resolve("errors"))) {
            URI later = URI.create(gateway.url()).resolve("/later");
            List<Future<?>> senders = new ArrayList<>();
            for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
                senders.add(threads.submit(() -> fill(later)));
            }
            for (Future<?> sender : senders) {
                sender.get();
            }
            gateway.stop();
        }
        Path flows = flows("""
                  forward:
                    from: { jms: { url: embedded, queue: later, key: JMSMessageID } }
                    to: { http: { url: "http://127.0.0.1:%1$d/" } }
                """, """
                  pay:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%1$d/" } }
                """);
        try (ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"))) {
            URI pay = URI.create(gateway.url()).resolve("/pay");
            List<Future<?>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(threads.submit(() -> postWhileCounted(pay)));
            }
            enough.await();
            for (Future<?> client : clients) {
                client.get();
            }
            System.out.println(result());
            assertThat(messages.get()).as(result()).isGreaterThan(SHARE);
            assertThat(posts.get()).as(result()).isGreaterThan(shareOfTheClients());
            assertThat(mostAtOnce.get()).as("in flight at the target").isLessThan(MOST_AT_ONCE);
            gateway.stop();
        }
    }

    /**
     * The clients never have more than {@value #CLIENTS} calls in flight, which is less than the share where the backlog's flow
     * has found a high limit; with a quarter of tolerance. Where their own flow's limit is low, they have fewer.
     */
    private int shareOfTheClients() {
        return Math.min(SHARE, CALLS * CLIENTS * 3 / 4 / Math.max(CLIENTS, mostWhileCounted.get()));
    }

    private Path flows(String before, String after) throws IOException {
        String text = """
                state: "%2$s"
                flows:
                """ + after + """
                  accept:
                    from: { http: { port: 0, path: /later } }
                    to: { jms: { url: embedded, queue: later } }
                """ + before;
        return Files.writeString(
                folder.resolve("flows.yaml"), text.formatted(target.getAddress().getPort(), folder.resolve("state")));
    }

    private Void fill(URI later) throws IOException, InterruptedException {
        for (int i = 0; i < BACKLOG / ACCEPTED_AT_ONCE; i++) {
            while (post(later, "message") != 202) {
                LockSupport.parkNanos(SERVICE_NANOS);
            }
        }
        return null;
    }

    private Void postWhileCounted(URI pay) throws IOException, InterruptedException {
        while (enough.getCount() > 0) {
            if (post(pay, "post") == 503) {
                rejected.incrementAndGet();
                LockSupport.parkNanos(SERVICE_NANOS);
            }
        }
        return null;
    }

    private static int post(URI where, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(where)
                .timeout(Duration.ofMinutes(2))
                .POST(BodyPublishers.ofString(body))
                .build();
        return Running.CLIENT.send(request, BodyHandlers.discarding()).statusCode();
    }

    private String result() {
        return "of " + CALLS + " calls: " + messages + " of the backlog, " + posts + " of new requests; " + rejected
                + " new requests rejected; at most " + mostAtOnce + " in flight at the target, " + mostWhileCounted
                + " while counted";
    }
}
