package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.Accounting;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three tiers, each a flow of its own with its own limit: server, plugin, database. */
@Timeout(120)
class ChainedFlowsRealClockTest {
    private static final long SERVICE_NANOS = 20_000_000;
    private static final int USERS = 60;

    @TempDir
    Path folder;

    private final ConcurrentLinkedQueue<String> paths = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final ExecutorService users = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer target;

    @BeforeEach
    void open() throws Exception {
        target = Running.target(exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                paths.add(exchange.getRequestURI().toString());
                LockSupport.parkNanos(SERVICE_NANOS);
                exchange.sendResponseHeaders(204, -1);
            }
        });
    }

    @AfterEach
    void close() {
        users.shutdownNow();
        target.stop(0);
    }

    private Gateway gateway(int server, int plugin, int database) throws Exception {
        return Running.gateway(
                folder, """
                flows:
                  server:
                    from: { http: { port: 0, path: /orders } }
                    to: { flow: plugin }
                    limit: %d
                    queue: { length: 1000, time: 10s }
                  plugin:
                    to: { flow: database }
                    limit: %d
                    queue: { length: 1000, time: 10s }
                  database:
                    to: { http: { url: "http://127.0.0.1:%d/db" } }
                    limit: %d
                    queue: { length: 1000, time: 10s }
                """.formatted(server, plugin, target.getAddress().getPort(), database));
    }

    @Test
    void replacesThePathOfTheFirstFlowByThatOfTheLastTarget() throws Exception {
        try (Gateway gateway = gateway(50, 50, 50)) {
            assertThat(Running.post(Running.url(gateway) + "/7/items?all=1").statusCode())
                    .isEqualTo(204);
            assertThat(paths).containsExactly("/db/7/items?all=1");
            Map<String, Accounting> drained = gateway.drain();
            assertThat(drained).containsOnlyKeys("server", "plugin", "database");
            assertThat(drained.values()).allMatch(account -> account.answered() == 1 && account.isSettled());
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 50, 50, limit 4 is", "50, 4, 50, flow plugin: limit 4 is", "50, 50, 4, flow database: limit 4 is"})
    void namesTheNarrowTier(int server, int plugin, int database, String sentence) throws Exception {
        try (Gateway gateway = gateway(server, plugin, database)) {
            String url = Running.url(gateway);
            for (int user = 0; user < USERS; user++) {
                users.submit(() -> {
                    while (running.get()) {
                        Running.post(url);
                    }
                    return null;
                });
            }
            Running.until(() -> gateway.flows()
                    .getFirst()
                    .snapshot()
                    .bottleneck()
                    .sentence()
                    .startsWith(sentence + " the bottleneck"));
            running.set(false);
        }
    }

    @Test
    void drainsTheFirstFlowFirst() throws Exception {
        try (Gateway gateway = gateway(50, 50, 2)) {
            String url = Running.url(gateway);
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(Running.postLater(url));
            }
            Running.until(() -> gateway.flows().getFirst().snapshot().account().offered() == 20);
            Map<String, Accounting> drained = gateway.drain();
            assertThat(drained).extractingByKeys("server", "database").allMatch(flow -> flow.answered() == 20);
            assertThat(answers)
                    .allSatisfy(answer -> assertThat(answer.get().statusCode()).isEqualTo(204));
        }
    }
}
