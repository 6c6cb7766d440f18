package dev.penstock.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.penstock.Accounting;
import dev.penstock.kit.StablePort;
import dev.penstock.observe.WatchedFlow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class GatewayRealClockTest {
    @TempDir
    Path folder;

    SlowTarget target;

    @BeforeEach
    void open() throws Exception {
        target = new SlowTarget();
    }

    @AfterEach
    void close() {
        target.close();
    }

    @Test
    void sendsRequestFromSourceToTarget() throws Exception {
        try (Gateway gateway = Running.gateway(folder, target)) {
            HttpResponse<String> answer = Running.post(Running.url(gateway));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("done");
            assertThat(answer.headers().firstValue("Penstock-Ending")).hasValue("answered");
            assertThat(account(gateway.drain()).answered()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(60)
    void drainDoesNotWaitForIdleClients() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                shutdown: { drain: 1h }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                """.formatted(target.url()))) {
            try (Socket idle =
                    new Socket("127.0.0.1", URI.create(Running.url(gateway)).getPort())) {
                idle.getOutputStream()
                        .write("POST /pay HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n".getBytes(UTF_8));
                assertThat(idle.getInputStream().read()).isEqualTo('H');
                assertThat(account(gateway.drain()).answered()).isEqualTo(1);
            }
        }
    }

    @Test
    void flowsShareAPort() throws Exception {
        int port = StablePort.free();
        try (Gateway gateway = Running.gateway(folder, """
                flows:
                  a:
                    from: { http: { port: %1$d, path: /a } }
                    to: { http: { url: "%2$s" } }
                  b:
                    from: { http: { port: %1$d, path: /b } }
                    to: { http: { url: "%2$s" } }
                """.formatted(port, target.url()))) {
            for (WatchedFlow flow : gateway.flows()) {
                assertThat(Running.post(flow.snapshot().from()).statusCode()).isEqualTo(200);
                assertThat(flow.snapshot().account().answered()).isEqualTo(1);
            }
            assertThat(gateway.adminAddress()).isNull();
        }
    }

    @Test
    void drainFinishesTransactionsInFlightAndRejectsNewOnes() throws Exception {
        try (Gateway gateway = Running.gateway(folder, target)) {
            String url = Running.url(gateway);
            target.hold();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(Running.postLater(url));
            }
            Running.until(() -> target.received.get() == 50);
            CompletableFuture<Map<String, Accounting>> drained = CompletableFuture.supplyAsync(gateway::drain);
            Running.until(gateway::isDraining);
            assertThat(Running.get(gateway.adminAddress() + "health").statusCode())
                    .isEqualTo(503);
            assertThat(drained).isNotDone();
            target.release();
            Accounting account = account(drained.join());
            assertThat(account.isSettled()).as(account.sentence()).isTrue();
            assertThat(account.answered()).as(account.sentence()).isEqualTo(50);
            answers.forEach(answer -> assertThat(answer.join().body()).isEqualTo("done"));
            assertThat(Running.postLater(url)).failsWithin(Duration.ofSeconds(60));
        }
    }

    @Test
    void everyTransactionHasAnEndingWhenDrainedUnderLoad() throws Exception {
        try (Gateway gateway = Running.gateway(folder, target)) {
            String url = Running.url(gateway);
            List<Thread> callers = new ArrayList<>();
            AtomicInteger answered = new AtomicInteger();
            for (int i = 0; i < 16; i++) {
                callers.add(Thread.startVirtualThread(() -> callUntilRefused(url, answered)));
            }
            Running.until(() -> answered.get() >= 500);
            Accounting account = account(gateway.drain());
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(account.isSettled()).as(account.sentence()).isTrue();
            assertThat(account.unknown() + account.failed())
                    .as(account.sentence())
                    .isZero();
            assertThat(account.answered()).as(account.sentence()).isEqualTo(target.received.get());
            assertThat(account.answered()).as(account.sentence()).isEqualTo(answered.get());
            assertThat(gateway.flows().getFirst().snapshot().account()).isEqualTo(account);
        }
    }

    private static void callUntilRefused(String url, AtomicInteger answered) {
        for (int i = 0; i < 100_000; i++) {
            try {
                HttpResponse<String> answer = Running.post(url);
                if (answer.statusCode() != 200) {
                    return;
                }
                answered.incrementAndGet();
            } catch (IOException refused) {
                return;
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Test
    void transactionThatOutlastsTheDrainIsUnknown() throws Exception {
        String yaml = """
                shutdown: { drain: 100ms }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                """.formatted(target.url());
        try (Gateway gateway = Running.gateway(folder, yaml)) {
            target.hold();
            CompletableFuture<HttpResponse<String>> answer = Running.postLater(Running.url(gateway));
            Running.until(() -> target.received.get() == 1);
            Accounting account = account(gateway.drain());
            assertThat(account.isSettled()).as(account.sentence()).isTrue();
            assertThat(account.unknown()).as(account.sentence()).isEqualTo(1);
            assertThat(answer.join().statusCode()).isEqualTo(504);
            assertThat(gateway.drain()).containsEntry("payments", account);
        }
    }

    @Test
    void reportsPortInUseInOneLineAndClosesEverythingElse() throws Exception {
        int free = StablePort.free();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String yaml = """
                    admin: { port: %d }
                    flows:
                      a:
                        from: { http: { port: 0, path: /a } }
                        to: { http: { url: "%s" } }
                      b:
                        from: { http: { port: %d, path: /b } }
                        to: { http: { url: "%s" } }
                    """.formatted(free, target.url(), taken.getLocalPort(), target.url());
            assertThatIOException()
                    .isThrownBy(() -> Running.gateway(folder, yaml))
                    .withMessage(
                            "flow b: port " + taken.getLocalPort()
                                    + " on 127.0.0.1 is already in use: stop the process that listens there or set another port");
        }
        new ServerSocket(free, 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void reportsAdminPortInUseInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String yaml = """
                    admin: { port: %d }
                    flows: { a: { from: { http: { port: 0, path: /a } }, to: { http: { url: "%s" } } } }
                    """.formatted(taken.getLocalPort(), target.url());
            assertThatIOException()
                    .isThrownBy(() -> Running.gateway(folder, yaml))
                    .withMessageStartingWith("cannot listen on port " + taken.getLocalPort() + " on 127.0.0.1: stop");
        }
    }

    @Test
    void immediateCloseLeavesNoTransactionWithoutAnEnding() throws Exception {
        Gateway gateway = Running.gateway(folder, target);
        target.hold();
        CompletableFuture<HttpResponse<String>> answer = Running.postLater(Running.url(gateway));
        Running.until(() -> target.received.get() == 1);
        gateway.close();
        gateway.close();
        Running.until(() -> gateway.flows().getFirst().snapshot().account().inFlight() == 0);
        assertThat(gateway.flows().getFirst().snapshot().account().unknown()).isEqualTo(1);
        assertThat(answer.handle((ok, error) ->
                                error == null || error instanceof CompletionException || error instanceof IOException)
                        .join())
                .isTrue();
    }

    @Test
    void closeEndsARunningDrain() throws Exception {
        Gateway gateway = Running.gateway(folder, """
                shutdown: { drain: 1h }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                    deadline: 10m
                """.formatted(target.url()));
        target.hold();
        String url = Running.url(gateway);
        CompletableFuture<HttpResponse<String>> answer = Running.postLater(url);
        Running.until(() -> target.received.get() == 1);
        CompletableFuture<Map<String, Accounting>> drained =
                CompletableFuture.supplyAsync(gateway::drain, Thread::startVirtualThread);
        Running.until(() -> isRefused(url));
        assertThat(drained).isNotDone();

        assertThat(CompletableFuture.runAsync(gateway::close, Thread::startVirtualThread))
                .succeedsWithin(Duration.ofSeconds(30));

        Accounting account = account(drained.get(30, TimeUnit.SECONDS));
        assertThat(account.isSettled()).as(account.sentence()).isTrue();
        assertThat(account.unknown()).as(account.sentence()).isEqualTo(1);
        assertThat(answer).failsWithin(Duration.ofSeconds(30));
    }

    /** The port no longer accepts connections: the drain has begun. */
    private static boolean isRefused(String url) {
        try (Socket _ =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(url).getPort())) {
            return false;
        } catch (IOException refused) {
            return true;
        }
    }

    private static Accounting account(Map<String, Accounting> accounts) {
        return Objects.requireNonNull(accounts.get("payments"));
    }
}
