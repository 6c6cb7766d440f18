package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.lab.compare.check.TableFile;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several labelled requests in one load of the JDK's HTTP server, which counts what it receives by method and path. */
@Timeout(120)
class LabelledLoadRealClockTest {
    private static final String ITEM = "x".repeat(1_000);

    @TempDir
    private Path folder;

    private final Map<String, LongAdder> received = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes());
        String kind = body.startsWith("<?xml") ? "payment" : body;
        received.computeIfAbsent((exchange.getRequestMethod() + " " + path + " " + kind).strip(), k -> new LongAdder())
                .increment();
        byte[] bytes = (path.equals("/shop/items") ? ITEM : "ok").getBytes();
        exchange.sendResponseHeaders(path.equals("/shop/broken") ? 500 : 200, bytes.length);
        try (exchange) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Test
    void requestsAreSentByWeightAndMeasuredByLabel() throws IOException {
        Path body = Files.writeString(folder.resolve("body.json"), "{\"amount\": 1}");
        Path json = folder.resolve("load.json");
        Path markdown = folder.resolve("load.md");
        Ran ran = load(
                "--rate=400",
                "--for=1s",
                "--request",
                "browse 6 GET /items?token=hush",
                "--request",
                "pay 2 POST /pay",
                "--request=cart 1 PUT /cart @" + body,
                "--request",
                "broken 1 DELETE /broken",
                "--json=" + json,
                "--markdown=" + markdown,
                "--html=" + folder.resolve("load.html"));

        assertThat(ran.err()).isEmpty();
        ResultFile file = ResultFile.read(json);
        Contestant all = file.contestants().getFirst();
        Map<String, Double> total = all.blocks().getFirst();
        assertThat(received.values().stream().mapToLong(LongAdder::sum).sum()).isEqualTo(400);
        assertThat(total).containsEntry("count", 400.0);
        assertThat(all.labels().keySet()).containsExactly("browse", "pay", "cart", "broken");
        assertThat(count(all, "browse")).isEqualTo(received("GET /shop/items")).isBetween(200L, 280L);
        assertThat(count(all, "pay")).isEqualTo(received("POST /shop/pay payment"));
        assertThat(count(all, "cart")).isEqualTo(received("PUT /shop/cart {\"amount\": 1}"));
        assertThat(count(all, "broken")).isEqualTo(received("DELETE /shop/broken"));
        assertThat(metric(all, "broken", "errors")).isEqualTo(count(all, "broken"));
        for (String key : List.of("count", "errors", "tps", "received_kb_per_s")) {
            double sum = all.labels().keySet().stream()
                    .mapToDouble(label -> metric(all, label, key))
                    .sum();
            assertThat(sum).as(key).isCloseTo(total.getOrDefault(key, Double.NaN), within(1e-9));
        }
        assertThat(metric(all, "browse", "received_kb_per_s"))
                .isCloseTo(received("GET /shop/items") * 1_000 / 1_024.0, within(1e-9));

        assertThat(ran.out())
                .containsPattern("\nlabel +count +mean ms +p50 +p90 +p99 +min +max +errors +TPS +KB/s\nbrowse ")
                .containsPattern("\ntotal +400 ")
                .contains("load: open load, 400/s evenly spaced for 1 s, mix: browse 6, pay 2, cart 1, broken 1;");
        assertThat(file.command())
                .contains("--request 'browse 6 GET /items?***'", "--request='cart 1 PUT /cart ***'")
                .doesNotContain("hush");
        assertThat(Files.readString(folder.resolve("load.html"))).doesNotContain("hush");
        for (Path checked : List.of(json, markdown)) {
            assertThat(TableFile.check(checked, null).isImpossible()).isFalse();
        }
    }

    @Test
    void equalSeedsSendTheSameAndRunsHaveARowForEachLabel() throws IOException {
        List<Map<String, Long>> counts = new ArrayList<>();
        for (String seed : List.of("1", "1", "2")) {
            received.clear();
            load(
                    "--rate=1000",
                    "--for=200ms",
                    "--seed=" + seed,
                    "--request=a 1 GET /a",
                    "--request=b 1 GET /b",
                    "--json=" + folder.resolve("run" + counts.size() + ".json"));
            counts.add(Map.of("a", received("GET /shop/a"), "b", received("GET /shop/b")));
        }
        Ran runs = Ran.run(new RunsCommand(), "table", folder.toString(), "--by=label");

        assertThat(counts.get(0)).isEqualTo(counts.get(1)).isNotEqualTo(counts.get(2));
        assertThat(runs.out().lines().map(line -> line.split(" +")[0]))
                .containsExactlyInAnyOrder("run", "run0", "run0", "run1", "run1", "run2", "run2", "total");
        assertThat(runs.out()).contains("600");
        Ran compared = Ran.run(
                new CompareCommand(),
                folder.resolve("run0.json").toString(),
                folder.resolve("run1.json").toString());
        assertThat(compared.out()).contains("load, a: B is", "load, b: B is");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:1 | --request=browse GET / | is not a request: write LABEL WEIGHT METHOD PATH [BODY]",
                "http://127.0.0.1:1 | --request=browse 0 GET / | the weight of \"browse\" must be 1 to 1000000, not 0",
                "http://127.0.0.1:1 | --request=browse 1 GET /../x | segment",
                "http://127.0.0.1:1 | --request=browse 1 POST / @/no/such/file | write an existing file",
                "http://127.0.0.1:1?a=b | --request=browse 1 GET / | write it in its PATH",
                "jdbc:h2:mem:x | --request=browse 1 GET / | --request is for an http target",
                "udp://127.0.0.1:1 | --request=browse 1 GET / | --request is for an http target",
            })
    void invalidRequestsAreWrongUsage(String target, String request, String why) {
        Ran ran = Ran.run(new LoadCommand(), target, "--rate=10", request);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(why);
    }

    @Test
    void eachRequestHasItsOwnLabelMethodAndBody() {
        assertThat(load("--rate=10", "--request=a 1 GET /a", "--request=a 1 GET /b")
                        .err())
                .contains("the label \"a\" is used twice");
        assertThat(load("--rate=10", "--request=a 1 GET /a", "--body=x").err())
                .contains("--method and --body do not apply to --request: write them in it");
    }

    private Ran load(String... args) {
        List<String> all = new ArrayList<>(
                List.of("http://127.0.0.1:" + server.getAddress().getPort() + "/shop", "--quiet"));
        all.addAll(List.of(args));
        return Ran.run(new LoadCommand(), all.toArray(String[]::new));
    }

    private long received(String what) {
        LongAdder count = received.get(what);
        return count == null ? 0 : count.sum();
    }

    private static long count(Contestant contestant, String label) {
        return (long) metric(contestant, label, "count");
    }

    private static double metric(Contestant contestant, String label, String key) {
        return contestant
                .labels()
                .getOrDefault(label, List.of(Map.of()))
                .getFirst()
                .getOrDefault(key, Double.NaN);
    }
}
