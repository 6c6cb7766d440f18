package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Load at 80 % of what the target can do, with one fault after another: heap after a collection, threads and descriptors of
 * the gateway stay flat.
 */
@Timeout(2 * 60 * 60)
class SoakRealClockTest {
    private static final int FAULTS = 60;

    /** The whole soak: -Dpenstock.soak.seconds=3600, a fault each minute. */
    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("penstock.soak.seconds", 30));

    /** In less time, the leftovers of the last faults look like growth. */
    private static final Duration LONG_ENOUGH = Duration.ofMinutes(10);

    private static final Duration FAULT_EVERY = LASTS.dividedBy(FAULTS);
    private static final int WORKERS = 20;
    private static final long SERVICE_MS = 50;
    private static final int CAPACITY = (int) (WORKERS * 1_000 / SERVICE_MS);
    private static final int RATE = CAPACITY * 8 / 10;
    /** One in four transactions goes through a queue. */
    private static final int DURABLE_EVERY = 4;

    private static final Pattern HEAP = Pattern.compile("total \\d+K, used (\\d+)K");

    @TempDir
    Path folder;

    private final Semaphore workers = new Semaphore(WORKERS);
    private final LongAdder sent = new LongAdder();
    private final Map<String, LongAdder> endings = new ConcurrentSkipListMap<>();
    private HttpServer target;
    private volatile long slowBy = 1;
    private volatile int refusesWith;

    @BeforeEach
    void open() throws IOException {
        startTarget(0);
    }

    @AfterEach
    void close() {
        target.stop(0);
    }

    private void startTarget(int port) throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", this::answer);
        target.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            workers.acquireUninterruptibly();
            try {
                pause(Duration.ofMillis(SERVICE_MS * slowBy));
            } finally {
                workers.release();
            }
            exchange.sendResponseHeaders(refusesWith == 0 ? 200 : refusesWith, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void pause(Duration time) {
        try {
            boolean _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static void pauseUntil(long nanos) {
        pause(Duration.ofNanos(nanos - System.nanoTime()));
    }

    private ChildGateway start(int port, int admin) throws IOException {
        Path flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %1$s
                admin: { port: %2$d }
                flows:
                  pay:
                    from: { http: { port: %3$d, path: /pay } }
                    to: { http: { url: "http://127.0.0.1:%4$d/" } }
                    deadline: 5s
                    dedupe: { key: Idempotency-Key, keep: 1m }
                    retry: { attempts: 3, key: Idempotency-Key }
                  accept:
                    from: { http: { port: %3$d, path: /later } }
                    to: { jms: { url: embedded, queue: later } }
                    status: 1m
                  carry:
                    from: { jms: { url: embedded, queue: later, key: JMSMessageID, redeliver: { attempts: 1000 } } }
                    to: { http: { url: "http://127.0.0.1:%4$d/" } }
                """.formatted(
                folder.resolve("state"), admin, port, target.getAddress().getPort()));
        return ChildGateway.start(flows, folder.resolve("errors"), "-Xmx192m");
    }

    /** Each fault lasts for a tenth of the time between two faults. */
    private void fault(int number, ChildGateway gateway, int port) throws IOException, InterruptedException {
        Duration lasts = FAULT_EVERY.dividedBy(10);
        switch (number % 7) {
            case 0 -> {
                int where = target.getAddress().getPort();
                target.stop(0);
                pause(lasts);
                startTarget(where);
            }
            case 1 -> {
                slowBy = 20;
                pause(lasts);
                slowBy = 1;
            }
            case 2 -> {
                refusesWith = 503;
                pause(lasts);
                refusesWith = 0;
            }
            case 3 -> {
                refusesWith = 500;
                pause(lasts);
                refusesWith = 0;
            }
            case 4 -> {
                gateway.signal("STOP");
                pause(lasts.dividedBy(3));
                gateway.signal("CONT");
            }
            case 5 ->
                clientsThatLeave(port, "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nhalf of it");
            default -> clientsThatLeave(port, "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nall");
        }
    }

    private static void clientsThatLeave(int port, String request) throws IOException {
        for (int n = 0; n < 100; n++) {
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private void send(String url, long number) {
        boolean durable = number % DURABLE_EVERY == 0;
        HttpRequest request = HttpRequest.newBuilder(URI.create(url).resolve(durable ? "/later" : "/pay"))
                .timeout(Duration.ofSeconds(30))
                .header("Idempotency-Key", "k" + number)
                .POST(HttpRequest.BodyPublishers.ofString("payment " + number))
                .build();
        String ending;
        try {
            ending = Integer.toString(
                    Running.CLIENT.send(request, BodyHandlers.discarding()).statusCode());
        } catch (IOException e) {
            ending = e.getClass().getSimpleName();
        } catch (InterruptedException over) {
            ending = "interrupted";
        }
        endings.computeIfAbsent(ending, first -> new LongAdder()).increment();
    }

    private void load(String url, ExecutorService clients, long end) {
        long began = System.nanoTime();
        for (long number = 0; System.nanoTime() - end < 0; number++) {
            long due = began + number * 1_000_000_000L / RATE;
            pauseUntil(due);
            long each = number;
            sent.increment();
            clients.execute(() -> send(url, each));
        }
    }

    /** The use of the gateway's process: kilobytes of heap after a collection, threads, descriptors. */
    private record Usage(double heap, double threads, double descriptors) {
        static Usage of(long pid) throws IOException, InterruptedException {
            jcmd(pid, "GC.run");
            Matcher heap = HEAP.matcher(jcmd(pid, "GC.heap_info"));
            double kilobytes = 0;
            // The young and the old generation of the serial collector; metaspace has no total.
            while (heap.find()) {
                kilobytes += Double.parseDouble(heap.group(1));
            }
            return new Usage(kilobytes, count("/proc/" + pid + "/task"), count("/proc/" + pid + "/fd"));
        }

        private static String jcmd(long pid, String command) throws IOException, InterruptedException {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .start();
            String out = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            jcmd.waitFor();
            return out;
        }

        private static double count(String folder) throws IOException {
            try (Stream<Path> entries = Files.list(Path.of(folder))) {
                return entries.count();
            }
        }
    }

    /** The growth over the whole time, with the 95 % interval of the least squares line. */
    private record Growth(String what, double mean, double most, double grew, double interval) {
        static Growth of(String what, List<Double> values) {
            int n = values.size();
            double meanX = (n - 1) / 2.0;
            double meanY =
                    values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (int x = 0; x < n; x++) {
                xx += (x - meanX) * (x - meanX);
                xy += (x - meanX) * (values.get(x) - meanY);
                yy += (values.get(x) - meanY) * (values.get(x) - meanY);
            }
            double slope = xy / xx;
            double residual = Math.max(0, yy - slope * xy) / (n - 2);
            double most = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
            return new Growth(what, meanY, most, slope * (n - 1), 2 * Math.sqrt(residual / xx) * (n - 1));
        }

        /** Whether the growth may be at most this amount. */
        boolean isFlat(double tolerance) {
            return grew - interval <= tolerance;
        }

        @Override
        public String toString() {
            return "%s: mean %.0f, most %.0f, grew by %.1f +- %.1f".formatted(what, mean, most, grew, interval);
        }
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void usesNoMoreMemoryAtTheEndThanAtTheBeginning() throws Exception {
        int port = StablePort.free();
        List<Usage> usages = new ArrayList<>();
        try (ChildGateway gateway = start(port, StablePort.free());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            long end = begun + LASTS.toNanos();
            Future<?> load = clients.submit(() -> load(gateway.url(), clients, end));
            for (int number = 0; number < FAULTS; number++) {
                pauseUntil(begun
                        + FAULT_EVERY
                                .multipliedBy(10L * number + 8)
                                .dividedBy(10)
                                .toNanos());
                usages.add(Usage.of(gateway.pid()));
                fault(number, gateway, port);
            }
            load.get(2, TimeUnit.MINUTES);
            clients.shutdown();
            assertThat(clients.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
            gateway.stop();
        }
        // The first quarter is warm-up: code, caches, connections.
        List<Usage> steady = usages.subList(FAULTS / 4, FAULTS);
        List<Growth> growths = List.of(
                Growth.of("heap KB", steady.stream().map(Usage::heap).toList()),
                Growth.of("threads", steady.stream().map(Usage::threads).toList()),
                Growth.of("descriptors", steady.stream().map(Usage::descriptors).toList()));
        String report = LASTS + " at " + RATE + "/s of " + CAPACITY + ", " + FAULTS + " faults, " + sent + " sent, "
                + endings + "; " + growths;
        System.out.println(report);
        long ended = endings.values().stream().mapToLong(LongAdder::sum).sum();
        assertThat(ended).as(report).isEqualTo(sent.sum());
        assertThat(endings.getOrDefault("200", new LongAdder()).sum())
                .as(report)
                .isGreaterThan(sent.sum() / 4);
        if (LASTS.compareTo(LONG_ENOUGH) >= 0) {
            assertThat(growths.get(0).isFlat(0.1 * growths.get(0).mean()))
                    .as(report)
                    .isTrue();
            assertThat(growths.get(1).isFlat(2)).as(report).isTrue();
            assertThat(growths.get(2).isFlat(5)).as(report).isTrue();
        }
    }
}
