package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code serve} in a separate JVM, because only a separate process can receive SIGTERM. */
@Timeout(120)
class ServeCommandRealClockTest {
    @TempDir
    Path folder;

    private HttpServer target;

    @BeforeEach
    void open() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(204, -1);
            }
        });
        target.start();
    }

    @AfterEach
    void close() {
        target.stop(0);
    }

    private Path file(int port) throws IOException {
        return Files.writeString(folder.resolve("flows.yaml"), """
                admin: { port: 0 }
                flows:
                  payments:
                    from: { http: { port: %d, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    pool: { connect_timeout: 1m }
                """.formatted(
                        port, target.getAddress().getPort()));
    }

    private Process serve(String... args) throws IOException {
        return Serving.start(folder.resolve("err"), Map.of(), args);
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    @Test
    void sigtermUnderLoadDrainsPrintsTheAccountingAndExitsWith0() throws Exception {
        Process process = serve(file(0).toString());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String flow = out.readLine();
            assertThat(flow).matches("payments: http://127.0.0.1:\\d+/pay -> http://127.0.0.1:\\d+/");
            assertThat(out.readLine()).matches("admin: http://127.0.0.1:\\d+/");
            assertThat(out.readLine()).isEqualTo("serving; stop with SIGTERM or Ctrl-C");
            String url = flow.replaceAll("payments: (\\S+) .*", "$1");
            assertThat(send(url, "GET /pay HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
            AtomicInteger answered = new AtomicInteger();
            List<Thread> callers = load(url, answered);
            process.toHandle().destroy(); // SIGTERM, and the streams stay open
            List<String> rest = out.lines().toList();
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(process.waitFor()).as(rest + err()).isZero();
            assertThat(rest).first().isEqualTo("draining, up to 30 s");
            assertThat(rest.get(1))
                    .startsWith("payments: offered ")
                    .contains("answered " + answered.get() + " ", "in flight 0")
                    .endsWith("; accounting balanced");
            assertThat(err()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void lastLinesReportDatagrams() throws Exception {
        Path file = Files.writeString(folder.resolve("flows.yaml"), """
                flows:
                  orders:
                    from: { udp: { port: 0, burst: 10, max_size: 64B } }
                    to: { replace: { find: "PENDING", with: "ACCEPTED" } }
                """);
        Process process = serve(file.toString());
        try (BufferedReader out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                DatagramSocket client = new DatagramSocket()) {
            String flow = out.readLine();
            assertThat(flow).matches("orders: udp://127.0.0.1:\\d+ -> replace");
            out.readLine();
            assertThat(out.readLine()).startsWith("serving;");
            client.setSoTimeout(60_000);
            client.connect(
                    InetAddress.ofLiteral("127.0.0.1"),
                    Integer.parseInt(flow.replaceAll("\\D*127.0.0.1:(\\d+).*", "$1")));
            client.send(new DatagramPacket(new byte[100], 100));
            byte[] order = "order 1 PENDING".getBytes(StandardCharsets.UTF_8);
            client.send(new DatagramPacket(order, order.length));
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            client.receive(answer);
            assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8))
                    .isEqualTo("order 1 ACCEPTED");
            process.toHandle().destroy();
            List<String> rest = out.lines().toList();
            assertThat(process.waitFor()).as(rest + err()).isZero();
            assertThat(rest.get(1))
                    .startsWith("orders: offered 2 = answered 1 + rejected 0 + failed 1 + unknown 0 + in flight 0")
                    .endsWith("; accounting balanced");
            assertThat(rest.get(2)).isEqualTo("orders: datagrams received 2, lost: truncated 1");
            assertThat(err()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Callers that continue until they are rejected. Returns once 200 calls were answered. */
    /** A client must not be able to fill the log, so the test above asks for an empty one. */
    private static String send(String url, String bytes) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(url).getPort())) {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static List<Thread> load(String url, AtomicInteger answered) throws InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMinutes(1))
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
        CountDownLatch enough = new CountDownLatch(200);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            callers.add(Thread.startVirtualThread(() -> {
                try {
                    for (int call = 0; call < 100_000; call++) {
                        if (client.send(request, BodyHandlers.discarding()).statusCode() != 204) {
                            return;
                        }
                        answered.incrementAndGet();
                        enough.countDown();
                    }
                } catch (IOException refused) {
                    return;
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        enough.await();
        return callers;
    }

    @Test
    void embeddedBrokerPrintsNothing() throws Exception {
        Path file = Files.writeString(
                folder.resolve("flows.yaml"), """
                flows:
                  accept:
                    from: { http: { port: 0, path: /pay } }
                    to: { jms: { url: embedded, queue: payments } }
                  carry:
                    from: { jms: { url: embedded, queue: payments, key: JMSMessageID } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    pool: { connect_timeout: 1m }
                """.formatted(target.getAddress().getPort()));
        Process process = serve(file.toString());
        try (BufferedReader out = process.inputReader()) {
            String url = out.readLine().replaceAll("accept: (\\S+) .*", "$1");
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(202);
            process.toHandle().destroy();
            assertThat(out.lines().toList()).anyMatch(line -> line.startsWith("accept: offered 1 = answered 1 "));
            assertThat(process.waitFor()).as(err()).isZero();
            assertThat(err()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void transactionsCutOffByTheEndOfTheDrainMakeExitCode1() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        target.createContext("/hang", exchange -> {
            asked.countDown();
            try (exchange) {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Path file = Files.writeString(
                folder.resolve("flows.yaml"), """
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%d/hang" } }
                shutdown: { drain: 100ms }
                """.formatted(target.getAddress().getPort()));
        Process process = serve(file.toString());
        try (BufferedReader out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                HttpClient client = HttpClient.newHttpClient()) {
            URI url = URI.create(out.readLine().replaceAll("payments: (\\S+) .*", "$1"));
            // A POST: the client would repeat a GET on a connection that was closed.
            HttpRequest post = HttpRequest.newBuilder(url)
                    .POST(HttpRequest.BodyPublishers.ofString("x"))
                    .build();
            CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(post, BodyHandlers.discarding());
            asked.await();
            process.toHandle().destroy();
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(out.lines())
                    .contains(
                            "drain INCOMPLETE: 1 transactions had not ended after 100 ms, so their connections were closed;"
                                    + " raise shutdown.drain if the target needs longer")
                    .anyMatch(line -> line.contains("unknown 1 ") && line.endsWith("accounting balanced"));
            assertThat(answer.get().statusCode()).isEqualTo(504);
        } finally {
            over.countDown();
            process.destroyForcibly();
        }
    }

    @Test
    void signalsWithAnotherMeaningDoNotEndIt() throws Exception {
        Process process = serve(file(0).toString());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (!out.readLine().startsWith("serving;")) {
                Thread.onSpinWait();
            }
            String pid = Long.toString(process.pid());
            // Under nohup nobody hears of a SIGHUP.
            List<String> signals = isHangUpIgnored() ? List.of("USR1") : List.of("HUP", "USR1");
            for (String signal : signals) {
                assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor())
                        .isZero();
                awaitLine(signal.equals("HUP") ? "no change for a reload by SIGHUP" : "SIGUSR1 ignored");
            }
            assertThat(err().lines()).hasSize(signals.size());
            process.toHandle().destroy();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    /** As inherited by the processes that it starts; see proc_pid_status(5). */
    private static boolean isHangUpIgnored() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .anyMatch(line -> line.matches("SigIgn:.*[13579bdf]"));
    }

    @Test
    void portInUseIsOneLineAndExitCode1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process process = serve(file(taken.getLocalPort()).toString());
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(err())
                    .isEqualTo(
                            "penstock: flow payments: port " + taken.getLocalPort()
                                    + " on 127.0.0.1 is already in use: stop the process that listens there or set another port\n");
        }
    }

    @Test
    void logsFailureOnceAndThenCounts() throws Exception {
        Path file = Files.writeString(folder.resolve("flows.yaml"), """
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://penstock-test.invalid/" } }
                    breaker: off
                """);
        Process process = serve(file.toString());
        try (BufferedReader out =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                HttpClient client = HttpClient.newHttpClient()) {
            String url = out.readLine().replaceAll("payments: (\\S+) .*", "$1");
            assertThat(out.readLine()).startsWith("admin: none;");
            assertThat(out.readLine()).startsWith("serving;");
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            for (int i = 0; i < 5; i++) {
                assertThat(client.send(request, BodyHandlers.discarding()).statusCode())
                        .isEqualTo(502);
                assertThat(err().lines()).hasSize(1);
            }
            process.toHandle().destroy();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
        String failed = "failed (connect): unknown host penstock-test.invalid:80: check the host in the url or the"
                + " DNS servers of this machine [java.net.UnknownHostException";
        List<String> lines = err().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).contains(" WARN  endings: payments: " + failed);
        assertThat(lines.get(1))
                .contains(" WARN  endings: payments: 4 more in ")
                .contains(failed);
    }

    @Test
    void badFileIsExitCode78() throws Exception {
        Process process = serve(folder.resolve("none.yaml").toString());
        assertThat(process.waitFor()).isEqualTo(78);
        assertThat(err()).isEqualTo(folder.resolve("none.yaml") + ": file not found; check the path\n");
    }

    @Test
    void logsOneJsonObjectPerLine() throws Exception {
        Process process = serve("--log-format", "json", file(0).toString());
        try {
            awaitLine("serving;");
            process.toHandle().destroy();
            assertThat(process.waitFor()).as(err()).isZero();
            assertThat(err().lines()).hasSize(5).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
            assertThat(err()).contains("\"message\":\"payments: offered 0 = ");
        } finally {
            process.destroyForcibly();
        }
    }

    private static String ask(String method, String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    @Test
    void theLevelOfALoggerChangesAtRunTime() throws Exception {
        Process process = serve(file(0).toString());
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String url = out.readLine().replaceAll("payments: (\\S+) .*", "$1");
            String loggers = out.readLine().substring("admin: ".length()) + "loggers";
            assertThat(ask("GET", loggers, "")).contains("\"ROOT\":\"WARN\"", "\"dev.penstock\":\"INFO\"");
            String jetty = "/org.eclipse.jetty.server";
            assertThat(ask("POST", loggers + jetty, "{\"value\": \"debug\"}"))
                    .isEqualTo("{\"loggers\":{\"org.eclipse.jetty.server\":\"DEBUG\"}}");
            send(url, "GET /pay HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            awaitLine(" DEBUG ");
            assertThat(ask("DELETE", loggers + jetty, "")).contains("\"org.eclipse.jetty.server\":\"ERROR\"");
            assertThat(ask("GET", loggers, "")).doesNotContain("org.eclipse.jetty.server");
            assertThat(ask("POST", loggers + "/ROOT", "{\"value\": \"loud\"}"))
                    .contains("a level is OFF, ERROR, WARN, INFO, DEBUG or TRACE");
            assertThat(err()).contains("logger org.eclipse.jetty.server: level set by 127.0.0.1, from ERROR to DEBUG");
        } finally {
            process.destroyForcibly();
        }
    }

    private void awaitLine(String part) throws IOException {
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (!err().contains(part)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no " + part + " in: " + err());
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
