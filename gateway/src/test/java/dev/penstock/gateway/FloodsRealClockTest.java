package dev.penstock.gateway;

import static dev.penstock.http.FrameClient.CALM;
import static dev.penstock.http.FrameClient.END_HEADERS;
import static dev.penstock.http.FrameClient.END_STREAM;
import static dev.penstock.http.FrameClient.PADDED;
import static dev.penstock.http.FrameClient.block;
import static dev.penstock.http.FrameClient.frame;
import static dev.penstock.http.FrameClient.head;
import static dev.penstock.http.FrameClient.integer;
import static dev.penstock.http.FrameClient.join;
import static dev.penstock.http.FrameClient.numbered;
import static dev.penstock.http.FrameClient.setting;
import static org.apache.hc.core5.http2.frame.FrameType.CONTINUATION;
import static org.apache.hc.core5.http2.frame.FrameType.DATA;
import static org.apache.hc.core5.http2.frame.FrameType.HEADERS;
import static org.apache.hc.core5.http2.frame.FrameType.PING;
import static org.apache.hc.core5.http2.frame.FrameType.PRIORITY;
import static org.apache.hc.core5.http2.frame.FrameType.RST_STREAM;
import static org.apache.hc.core5.http2.frame.FrameType.SETTINGS;
import static org.apache.hc.core5.http2.frame.FrameType.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.http.FrameClient;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 clients that send frames as fast as they can, to a gateway with a heap of 96 MB: others are answered. */
@Timeout(300)
class FloodsRealClockTest {
    private static final int BATCH = 100;
    private static final Duration LASTS = Duration.ofMillis(Integer.getInteger("penstock.flood.millis", 300));
    private static final byte[] EIGHT = new byte[8];
    private static final byte[] OK = {'o', 'k'};
    private static final int LARGE = 900_000;

    @TempDir
    static Path folder;

    private static HttpServer target;
    private static ChildGateway gateway;
    private static int port;

    /**
     * A flood.
     *
     * @param first what it sends first
     * @param frames what it repeats, by a number from 0 on
     * @param code of the GOAWAY that ends it
     */
    private record Flood(String name, byte[] first, IntFunction<byte[]> frames, int code) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Flood calm(String name, IntFunction<byte[]> frames) {
        return calm(name, new byte[0], frames);
    }

    private static Flood calm(String name, byte[] first, IntFunction<byte[]> frames) {
        return new Flood(name, first, frames, CALM);
    }

    private static byte[] get(int number) {
        return head(END_STREAM, stream(number), "GET", "/small");
    }

    private static byte[] post(int stream) {
        return head(0, stream, "POST", "/small");
    }

    private static int stream(int number) {
        return 2 * number + 1;
    }

    static List<Flood> floods() {
        byte[] open = frame(HEADERS, 0, 1, block(":method", "GET", ":scheme", "http", ":path", "/small"));
        byte[] wrong = block(":method", "GET", ":scheme", "http", ":path", "/small", "Upper", "case");
        return List.of(
                calm("RST_STREAM", i -> join(get(i), numbered(RST_STREAM, stream(i), 8))),
                calm("CONTINUATION", open, i -> frame(CONTINUATION, 0, 1, block("x" + i, "y"))),
                calm("empty CONTINUATION", open, _ -> frame(CONTINUATION, 0, 1)),
                calm("SETTINGS", _ -> frame(SETTINGS, 0, 0)),
                calm("SETTINGS with many keys", i -> frame(SETTINGS, 0, 0, setting(100 + i % 1000, 1))),
                calm("acknowledged SETTINGS", _ -> frame(SETTINGS, 1, 0)),
                calm("PING", _ -> frame(PING, 0, 0, EIGHT)),
                calm("empty DATA", post(1), _ -> frame(DATA, 0, 1)),
                calm("DATA of padding", post(1), _ -> frame(DATA, PADDED, 1, EIGHT[0])),
                calm("WINDOW_UPDATE", _ -> numbered(WINDOW_UPDATE, 0, 1)),
                calm("WINDOW_UPDATE of a stream", post(1), _ -> numbered(WINDOW_UPDATE, 1, 1)),
                calm("WINDOW_UPDATE of a closed stream", get(0), _ -> numbered(WINDOW_UPDATE, 1, 1)),
                calm("PRIORITY", i -> frame(PRIORITY, 0, stream(i), join(integer(0), new byte[1]))),
                calm("more streams than allowed", i -> post(stream(i))),
                calm("malformed HEADERS", i -> frame(HEADERS, END_HEADERS | END_STREAM, stream(i), wrong)),
                // Requests that the server itself resets (MadeYouReset).
                calm("empty WINDOW_UPDATE", i -> join(post(stream(i)), numbered(WINDOW_UPDATE, stream(i), 0))),
                calm("window overflow", i -> join(get(i), numbered(WINDOW_UPDATE, stream(i), Integer.MAX_VALUE))),
                calm("DATA after the end", i -> join(get(i), frame(DATA, 0, stream(i), EIGHT))),
                new Flood("HEADERS after the end", new byte[0], i -> join(get(i), get(i)), 1),
                new Flood("short PRIORITY", new byte[0], i -> join(get(i), frame(PRIORITY, 0, stream(i), EIGHT)), 6));
    }

    @BeforeAll
    static void open() throws Exception {
        target = Running.target(exchange -> {
            try (exchange) {
                byte[] body = exchange.getRequestURI().getPath().startsWith("/large") ? new byte[LARGE] : OK;
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        Path flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %1$s
                flows:
                  small: { from: { http: { port: %2$d, path: /small } }, to: { http: { url: "http://127.0.0.1:%3$d/" } } }
                  large: { from: { http: { port: %2$d, path: /large } }, to: { http: { url: "http://127.0.0.1:%3$d/large" } } }
                """.formatted(
                folder.resolve("state"), StablePort.free(), target.getAddress().getPort()));
        gateway = ChildGateway.start(flows, folder.resolve("errors"), "-Xmx96m", "-XX:+ExitOnOutOfMemoryError");
        port = URI.create(gateway.url()).getPort();
        others(); // its limit has grown when the first flood begins
    }

    @AfterAll
    static void close() {
        gateway.close();
        target.stop(0);
    }

    @ParameterizedTest
    @MethodSource("floods")
    void endsItsOwnConnectionOnly(Flood flood) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Map<Integer, Integer> codes = new ConcurrentHashMap<>();
        Thread attacker = Thread.ofPlatform().start(() -> {
            do {
                codes.merge(send(flood), 1, Integer::sum);
            } while (!over.get());
        });
        Duration before = gateway.cpu();
        Bystander seen = others();
        over.set(true);
        attacker.join();
        System.out.println(flood + ": " + seen + "; connections ended by code " + codes + ", CPU "
                + gateway.cpu().minus(before).toMillis() + " ms");
        codes.remove(-1); // closed before GOAWAY was read
        assertThat(codes.keySet()).isSubsetOf(flood.code);
        assertThat(gateway.isAlive()).isTrue();
    }

    /** Sends until the connection ends; its code. */
    private static int send(Flood flood) {
        try (FrameClient client = new FrameClient(port)) {
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    client.send(flood.first);
                    for (int i = 0; true; i += BATCH) {
                        byte[][] batch = new byte[BATCH][];
                        for (int n = 0; n < BATCH; n++) {
                            batch[n] = flood.frames.apply(i + n);
                        }
                        client.send(join(batch));
                    }
                } catch (IOException ended) {
                    // As it must be.
                }
            });
            int code = client.end();
            sender.join();
            return code;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Bystander others() throws InterruptedException {
        Bystander others = Bystander.posting(gateway.url(), "x", LASTS);
        assertThat(others.endings()).containsOnlyKeys("200 ok");
        return others;
    }

    private static void survives(List<FrameClient> clients) throws Exception {
        try {
            others();
            assertThat(gateway.isAlive()).isTrue();
        } finally {
            for (FrameClient client : clients) {
                client.close();
            }
        }
    }

    private static List<FrameClient> clients(int count, byte[] settings, IntFunction<byte[]> streams)
            throws IOException {
        List<FrameClient> all = new ArrayList<>();
        byte[][] requests = new byte[127][];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = streams.apply(stream(i));
        }
        for (int i = 0; i < count; i++) {
            all.add(new FrameClient(port, settings).send(join(requests)));
        }
        return all;
    }

    @Test
    void streamsWithoutBodiesTakeNoMoreThanConnections() throws Exception {
        survives(clients(400, new byte[0], FloodsRealClockTest::post));
    }

    @Test
    void answersWithoutAWindowLeaveRoomForOthers() throws Exception {
        survives(clients(60, setting(4, 0), stream -> head(END_STREAM, stream, "GET", "/small")));
    }

    @Test
    void updatesOfAClientThatDoesNotReadAreNotKept() throws Exception {
        byte[][] updates = new byte[1000][];
        Arrays.fill(updates, numbered(WINDOW_UPDATE, 0, 1));
        byte[] batch = join(updates);
        List<FrameClient> clients =
                clients(1, setting(4, 1 << 30), stream -> head(END_STREAM, stream, "GET", "/large"));
        FrameClient client = clients.getFirst().send(numbered(WINDOW_UPDATE, 0, 1 << 30));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> {
            while (true) {
                client.send(batch);
            }
        });
        survives(clients);
    }
}
