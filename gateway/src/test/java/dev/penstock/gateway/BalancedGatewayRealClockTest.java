package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A flow to three servers. */
@Timeout(120)
class BalancedGatewayRealClockTest {
    @TempDir
    Path folder;

    private final List<HttpServer> servers = new ArrayList<>();
    private final List<AtomicInteger> requests = new ArrayList<>();

    private volatile CountDownLatch held = new CountDownLatch(0);

    @BeforeEach
    void open() throws Exception {
        for (int i = 0; i < 3; i++) {
            AtomicInteger count = new AtomicInteger();
            requests.add(count);
            servers.add(Running.target(exchange -> {
                try (exchange) {
                    count.incrementAndGet();
                    held.await();
                    exchange.sendResponseHeaders(204, -1);
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
    }

    @AfterEach
    void close() {
        held.countDown();
        servers.forEach(server -> server.stop(0));
    }

    private String url(int server) {
        return "http://127.0.0.1:" + servers.get(server).getAddress().getPort() + "/v1";
    }

    private Gateway gateway(String... lines) throws Exception {
        return Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: [ "%s", "%s", "%s" ], headers: { X-Client: penstock } } }
                    idempotent: true
                    retry: { attempts: 3 }
                    %s
                """.formatted(url(0), url(1), url(2), String.join("\n    ", lines)));
    }

    @Test
    void noCallFailsWhenOneServerIsKilled() throws Exception {
        try (Gateway gateway = gateway("limit: { min: 2, max: 50 }")) {
            for (int i = 0; i < 200; i++) {
                if (i == 100) {
                    assertThat(requests).allMatch(count -> count.get() > 20);
                    servers.get(1).stop(0);
                }
                assertThat(Running.get(Running.url(gateway)).statusCode()).isEqualTo(204);
            }
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(200);
            String flows = Running.get(gateway.adminAddress() + "flows").body();
            assertThat(flows).containsPattern("\"endpoint_ejections\":\\{[^}]*\"" + url(1) + "\":[1-9]");
            assertThat(gateway.flows().getFirst().snapshot().settings())
                    .anyMatch(setting -> setting.name().equals("endpoint.1")
                            && setting.value().equals(url(0)))
                    .anyMatch(setting -> setting.name().equals("endpoint.3.limit"))
                    .anyMatch(setting -> setting.name().equals("endpoint.2.breaker.failures"))
                    .noneMatch(setting -> setting.name().startsWith("limit"));
        }
    }

    @Test
    void aListAloneIsEnough() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: [ "%s", "%s" ] }
                """.formatted(url(0), url(1)))) {
            for (int i = 0; i < 20; i++) {
                assertThat(Running.get(Running.url(gateway)).statusCode()).isEqualTo(204);
            }
            assertThat(requests.subList(0, 2)).allMatch(count -> count.get() > 5);
            assertThat(requests.get(2)).hasValue(0);
        }
    }

    @Test
    void serversThatDifferInTheirQueryAreCountedSeparately() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: [ "%s?token=one", "%s", "%s?token=two" ] }
                """.formatted(url(0), url(1), url(0)))) {
            for (int i = 0; i < 30; i++) {
                assertThat(Running.get(Running.url(gateway)).statusCode()).isEqualTo(204);
            }
            assertThat(Running.get(gateway.adminAddress() + "metrics").body().lines())
                    .filteredOn(line -> line.startsWith("penstock_endpoint_calls_total"))
                    .hasSize(3)
                    .allMatch(line -> line.endsWith(" 10.0") && !line.contains("token"))
                    .anyMatch(line -> line.contains("\"" + url(0) + "#1\""))
                    .anyMatch(line -> line.contains("\"" + url(1) + "\""))
                    .anyMatch(line -> line.contains("\"" + url(0) + "#3\""));
        }
    }

    @Test
    void theBottleneckIsTheLimitOfAServer() throws Exception {
        held = new CountDownLatch(1);
        try (Gateway gateway = gateway("limit: 1", "queue: { time: 20s }")) {
            List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                sent.add(Running.postLater(Running.url(gateway)));
            }
            Running.until(() -> bottleneck(gateway).startsWith("endpoint payments-"), () -> bottleneck(gateway));
            held.countDown();
            assertThat(sent).allMatch(answer -> answer.join().statusCode() == 204);
        }
    }

    private static String bottleneck(Gateway gateway) {
        return gateway.flows().getFirst().snapshot().bottleneck().sentence();
    }
}
