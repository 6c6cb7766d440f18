package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.Accounting;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.StablePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway reads its file again while it serves. */
@Tag("full")
@Timeout(1_200)
class ReloadRealClockTest extends GatewayFixture {
    private static final int RELOADS = FullRun.sized(20, 1_000);
    private static final int CLIENTS = 4;
    private static final String OK = "200 done";

    @SuppressWarnings("NullAway.Init")
    private SlowTarget other;

    private int port;

    @Override
    Gateway start() throws Exception {
        other = new SlowTarget();
        port = StablePort.free();
        write(file("", "30s"));
        Path file = folder.resolve("flows.yaml");
        return Gateway.start(file, FlowFile.read(file), () -> {});
    }

    private String file(String top, String deadline) {
        return """
                admin: { port: 0, audit: audit.jsonl }
                shutdown: { drain: 60s }
                %sflows:
                  same:
                    from: { http: { port: %d, path: /same } }
                    to: { http: { url: "%s" } }
                  changed:
                    from: { http: { port: %d, path: /changed } }
                    to: { http: { url: "%s" } }
                    deadline: %s
                """.formatted(top, port, target.url(), port, other.url(), deadline);
    }

    private void write(String yaml) throws IOException {
        Files.writeString(folder.resolve("flows.yaml"), yaml);
    }

    private Generation reload(String yaml) throws Exception {
        write(yaml);
        return gateway.reload("a test");
    }

    private String at(String path) {
        return "http://127.0.0.1:" + port + path;
    }

    private String post(String path) {
        try {
            HttpResponse<String> answer = Running.post(at(path));
            return answer.statusCode() + " " + answer.body();
        } catch (IOException failed) {
            return failed.toString();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return ended.toString();
        }
    }

    private GatewayFlow flow(String name) {
        return gateway.flows().stream()
                .map(GatewayFlow.class::cast)
                .filter(flow -> flow.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reloadsUnderLoadLoseNoRequestAndLeaveOtherFlowsAsTheyAre() throws Exception {
        Map<String, LongAdder> answers = new ConcurrentSkipListMap<>();
        GatewayFlow same = flow("same");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> clients = new ArrayList<>();
            AtomicBoolean over = new AtomicBoolean();
            for (int n = 0; n < CLIENTS; n++) {
                String path = n % 2 == 0 ? "/same" : "/changed";
                clients.add(threads.submit(() -> {
                    while (!over.get()) {
                        answers.computeIfAbsent(post(path), first -> new LongAdder())
                                .increment();
                    }
                }));
            }
            Running.until(() -> same.accounting().answered() > 100);
            long opened = Objects.requireNonNull(same.snapshot().connections().get("opened"));
            for (int n = 0; n < RELOADS; n++) {
                long before = same.accounting().answered();
                assertThat(reload(file("", (n % 30 + 1) + "s")).number()).isEqualTo(n + 2);
                Running.until(() -> same.accounting().answered() > before);
            }
            over.set(true);
            for (Future<?> client : clients) {
                client.get();
            }
            assertThat(same.snapshot().connections()).containsEntry("opened", opened);
        }
        assertThat(answers).containsOnlyKeys(OK);
        assertThat(flow("same")).isEqualTo(same);
        Accounting all = same.accounting();
        assertThat(all.answered()).isEqualTo(all.offered());
    }

    @Test
    void manyReloadsLeaveThreadsAndDescriptorsFlat() throws Exception {
        warmUp(5);
        long threads = threads();
        long descriptors = descriptors();
        long heap = heap();
        warmUp(RELOADS);
        Running.until(
                () -> threads() <= threads && descriptors() <= descriptors,
                () -> threads() + " threads, before " + threads + "; " + descriptors() + " descriptors, before "
                        + descriptors);
        if (FullRun.ON) {
            Running.until(() -> heap() < heap + (4 << 20), () -> heap() + " bytes of heap, before " + heap);
        }
    }

    private void warmUp(int reloads) throws Exception {
        for (int n = 0; n < reloads; n++) {
            Generation _ = reload(file("", (n % 30 + 1) + "s"));
            assertThat(post("/changed")).isEqualTo(OK);
            assertThat(post("/same")).isEqualTo(OK);
        }
    }

    /** Those of this gateway that stay. */
    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("penstock"))
                .count();
    }

    private static long descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException none) {
            return 0;
        }
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void aTargetThatHangsDoesNotHoldUpTheSwitchAndItsRequestIsAnswered() throws Exception {
        other.hold();
        CompletableFuture<HttpResponse<String>> waiting = Running.postLater(at("/changed"));
        Running.until(() -> other.received.get() == 1);
        GatewayFlow before = flow("changed");
        assertThat(reload(file("", "29s").replace(other.url(), target.url())).flows())
                .containsExactly("flow same: built anew", "flow changed: built anew", "0 flows unchanged");
        assertThat(post("/changed")).isEqualTo(OK);
        assertThat(waiting).isNotDone();
        assertThat(before.accounting().inFlight()).isOne();
        other.release();
        assertThat(waiting.get().body()).isEqualTo("done");
        Running.until(() -> before.target().flow().isDraining());
        assertThat(before.accounting().rejected()).isZero();
    }

    @Test
    void aDrainWaitsForReplacedFlowsToo() throws Exception {
        other.hold();
        CompletableFuture<HttpResponse<String>> waiting = Running.postLater(at("/changed"));
        Running.until(() -> other.received.get() == 1);
        Generation _ = reload(file("", "29s"));
        CompletableFuture<Map<String, Accounting>> drained = CompletableFuture.supplyAsync(gateway::drain);
        Running.until(gateway::isDraining);
        assertThatThrownBy(() -> reload(file("", "28s"))).hasMessageContaining("draining");
        other.release();
        assertThat(waiting.get().statusCode()).isEqualTo(200);
        assertThat(drained.get()).hasSize(2);
    }

    @Test
    void pathsPortsAndFlowsComeAndGoOnAnOpenConnection() throws Exception {
        int another = StablePort.free();
        try (Socket client = new Socket("127.0.0.1", port)) {
            assertThat(exchange(client, "/changed")).startsWith("HTTP/1.1 200");
            String moved = file("", "30s").replace("path: /changed", "path: /moved") + """
                      third:
                        from: { http: { port: %d, path: / } }
                        to: { flow: changed }
                    """.formatted(another);
            assertThat(reload(moved).flows())
                    .containsExactly("flow changed: built anew", "flow third: added", "1 flow unchanged");
            assertThat(post("/changed")).startsWith("404");
            assertThat(exchange(client, "/moved/x")).startsWith("HTTP/1.1 200");
            assertThat(Running.post("http://127.0.0.1:" + another + "/moved").statusCode())
                    .isEqualTo(200);
            assertThat(reload(file("", "30s")).flows())
                    .containsExactly("flow changed: built anew", "flow third: removed", "1 flow unchanged");
            assertThat(exchange(client, "/changed")).startsWith("HTTP/1.1 200");
        }
        Running.until(() -> catchThrowable(() -> new Socket("127.0.0.1", another).close()) != null);
    }

    private static String exchange(Socket client, String path) throws IOException {
        client.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx")
                        .getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            assertThat(next).as("the connection is open").isNotNegative();
            head.append((char) next);
        }
        String length = head.toString().replaceFirst("(?si).*content-length: *(\\d+).*", "$1");
        in.readNBytes(Integer.parseInt(length));
        return head.toString();
    }

    @Test
    void aWrongFileChangesNothing() throws Exception {
        String good = file("", "30s");
        int taken = Integer.parseInt(other.url().replaceFirst(".*:(\\d+)/.*", "$1"));
        List<String> bad = List.of(
                "",
                "flows: {",
                "\tflows: 1",
                "a: 1\n---\nb: 2\n",
                good + "    deadlin: 3s\n",
                good + "    deadline: 3s\n",
                good.replace("30s", "soon"),
                good.replace("30s", "0s"),
                good.replace("30s", "${NOT_SET_ANYWHERE}"),
                good.replace("30s", "30s\n    retry: { attempts: 99 }"),
                good.replace("30s", "30s\n    limit: { min: 9, max: 3 }"),
                good.replace("30s", "30s\n    queue: { time: 40s }"),
                good.replace("path: /changed", "path: /same"),
                good.replace("path: /changed", "path: changed"),
                good.replace("port: " + port + ", path: /changed", "port: 70000, path: /changed"),
                good.replace("port: " + port + ", path: /changed", "port: " + taken + ", path: /changed"),
                good.replace(other.url(), "ftp://nowhere"),
                good.replace(other.url(), "http://penstock-test.invalid/"),
                good.replace("to: { http: { url: \"" + other.url() + "\" } }", "to: { flow: nothing }"),
                good.replace("to: { http: { url: \"" + other.url() + "\" } }", "to: { flow: changed }"),
                good.replace(
                        "to: { http: { url: \"" + other.url() + "\" } }",
                        "to: { http: { url: \"" + other.url() + "\", tls: { ca: missing.pem } } }"),
                "state: elsewhere\n" + good,
                good.replace("audit.jsonl", "other.jsonl"));
        GatewayFlow before = flow("changed");
        for (String yaml : bad) {
            Throwable why = catchThrowable(() -> reload(yaml));
            assertThat(why).as(yaml).isInstanceOfAny(BadConfig.class, IOException.class);
            if (why instanceof BadConfig) {
                assertThat(why).as(yaml).hasMessageStartingWith(folder.resolve("flows.yaml") + ":");
            }
        }
        Files.delete(folder.resolve("flows.yaml"));
        assertThatThrownBy(() -> gateway.reload("a test")).isInstanceOf(BadConfig.class);
        assertThat(gateway.generation().number()).isOne();
        assertThat(flow("changed")).isEqualTo(before);
        assertThat(post("/changed")).isEqualTo(OK);
        assertThat(reload(good).number()).isOne();
        assertThat(reload(file("reload: { prove: off }\n", "30s").replace(other.url(), "http://penstock-test.invalid/"))
                        .number())
                .isEqualTo(2);
    }

    @Test
    void theAdminPortReloadsAndShowsGenerations() throws Exception {
        String admin = Objects.requireNonNull(gateway.adminAddress()).toString();
        write(file("", "3s"));
        HttpResponse<String> done = Running.post(admin + "reload");
        assertThat(done.statusCode()).isEqualTo(200);
        assertThat(done.body())
                .contains("\"generation\":2", "flows.changed.deadline: 30s -> 3s", "flow changed: built anew");
        assertThat(Files.readString(folder.resolve("audit.jsonl")))
                .contains("\"change\":\"reloaded\"", "\"from\":\"generation 1\"", "127.0.0.1");
        assertThat(Running.get(admin + "flows").body()).contains("\"generations\":[{\"generation\":2,");
        assertThat(Running.get(admin + "file").body())
                .contains("\"generation\":2", "\"flows.changed.deadline\":\"3s\"");
        awaitEvent(admin, "generation 2 of the flow file by 127.0.0.1");

        write(file("", "soon"));
        HttpResponse<String> refused = Running.post(admin + "reload");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("flows.yaml:10:15: 'deadline' is", "generation 2 goes on");
        write(file("memory: 8MB\n", "3s"));
        assertThat(Running.post(admin + "reload").statusCode()).isEqualTo(409);
        assertThat(Running.get(admin + "reload").statusCode()).isEqualTo(405);
        assertThat(flow("changed").config().deadline().value()).hasSeconds(3);
    }

    private static void awaitEvent(String admin, String text) throws IOException {
        try (BufferedReader events = new BufferedReader(
                new InputStreamReader(URI.create(admin + "events").toURL().openStream(), StandardCharsets.UTF_8))) {
            assertThat(events.lines().anyMatch(line -> line.contains(text))).isTrue();
        }
    }
}
