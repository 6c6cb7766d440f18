package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** 5,000 idle clients, and 1,000 that send or read a byte a second and come back when they are closed, leave others as fast as before. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class SlowCrowdRealClockTest {
    private static final int IDLE = Integer.getInteger("penstock.crowd.idle", 5_000);
    private static final int SLOW = Integer.getInteger("penstock.crowd.slow", 1_000);
    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("penstock.attack.seconds", 20));
    /** All that are read slowly fit into the memory budget. */
    private static final int LARGE = 400_000;

    private static final byte[] OK = {'o', 'k'};
    private static final byte[] REQUEST = bytes("GET /crowd HTTP/1.1\r\nHost: h\r\n\r\n");

    /** What a slow client sends at once; then it sends a byte a second, or reads one. */
    private static final List<byte[]> BEGINNINGS = List.of(
            bytes("GET /crowd HTTP/1.1\r\nHost: h\r\nX: "),
            bytes("POST /crowd HTTP/1.1\r\nHost: h\r\nX: "),
            bytes("POST /crowd HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"),
            bytes("PUT /crowd HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"),
            bytes("GET /crowd/large HTTP/1.1\r\nHost: h\r\n\r\n"));

    @TempDir
    Path folder;

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger closed = new AtomicInteger();
    private HttpServer target;
    private InetSocketAddress address;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @BeforeEach
    void open() throws IOException {
        target = Running.target(SlowCrowdRealClockTest::answer);
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), StablePort.free());
    }

    @AfterEach
    void close() {
        over.countDown();
        target.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = exchange.getRequestURI().getPath().endsWith("/large") ? new byte[LARGE] : OK;
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private ChildGateway gateway(String limit) throws IOException {
        Path flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %1$s
                flows:
                  other: { from: { http: { port: %2$d, path: /other%4$s } }, to: { http: { url: "http://127.0.0.1:%3$d/" } } }
                  crowd: { from: { http: { port: %2$d, path: /crowd%4$s } }, to: { http: { url: "http://127.0.0.1:%3$d/" } } }
                """.formatted(
                folder.resolve("state"), address.getPort(), target.getAddress().getPort(), limit));
        return ChildGateway.start(
                flows, folder.resolve("errors"), "-Xmx512m", "-XX:TieredStopAtLevel=4", "-XX:+ExitOnOutOfMemoryError");
    }

    private SocketChannel connected() throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
        client.bind(new InetSocketAddress("127.0.0.2", 0));
        client.connect(address);
        return client;
    }

    /** Connections that had an answer. */
    private List<SocketChannel> idle() throws IOException {
        List<SocketChannel> clients = new ArrayList<>();
        ByteBuffer answer = ByteBuffer.allocate(1 << 10);
        for (int i = 0; i < IDLE; i++) {
            SocketChannel client = connected();
            client.write(ByteBuffer.wrap(REQUEST));
            client.read(answer.clear());
            client.configureBlocking(false);
            clients.add(client);
        }
        return clients;
    }

    private static boolean isOpen(SocketChannel client) {
        try {
            return client.read(ByteBuffer.allocate(1 << 10)) >= 0;
        } catch (IOException reset) {
            return false;
        }
    }

    /** Every client is busy once a second. */
    private void beSlow() {
        SocketChannel[] clients = new SocketChannel[SLOW];
        try {
            for (int tick = 0; !over.await(10, TimeUnit.MILLISECONDS); tick++) {
                for (int i = tick % 100; i < SLOW; i += 100) {
                    clients[i] = clients[i] == null ? begun(i) : goneOn(clients[i], i);
                }
            }
            for (SocketChannel client : clients) {
                client.close();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private SocketChannel begun(int number) throws IOException {
        SocketChannel client = connected();
        client.write(ByteBuffer.wrap(BEGINNINGS.get(number % BEGINNINGS.size())));
        client.configureBlocking(false);
        return client;
    }

    private SocketChannel goneOn(SocketChannel client, int number) throws IOException {
        boolean reads = number % BEGINNINGS.size() == BEGINNINGS.size() - 1;
        ByteBuffer one = ByteBuffer.allocate(1);
        try {
            if ((reads ? client.read(one) : client.write(one)) >= 0) {
                return client;
            }
        } catch (IOException reset) {
            // Comes back.
        }
        closed.incrementAndGet();
        client.close();
        return begun(number);
    }

    private String withstood(String limit) throws Exception {
        try (ChildGateway gateway = gateway(limit)) {
            Bystander.posting(gateway.url(), "x", LASTS); // warms up
            Bystander before = Bystander.posting(gateway.url(), "x", LASTS);
            List<SocketChannel> idle = idle();
            Thread slow = Thread.ofPlatform().start(this::beSlow);
            Bystander during = Bystander.posting(gateway.url(), "x", LASTS);
            long open = idle.stream().filter(SlowCrowdRealClockTest::isOpen).count();
            over.countDown();
            slow.join();
            for (SocketChannel client : idle) {
                client.close();
            }
            String line =
                    "%d idle and %d slow clients: before %s; during %s; %d idle ones are open, slow ones were closed %d times"
                            .formatted(IDLE, SLOW, before, during, open, closed.get());
            System.out.println(line);
            assertThat(during.endings()).as(line).containsOnlyKeys("200 ok");
            return open + " open";
        }
    }

    @Test
    void whereThereIsRoomForAll() throws Exception {
        assertThat(withstood(", max_connections: 12000")).isEqualTo(IDLE + " open");
    }

    @Test
    void whereThereIsRoomForSome() throws Exception {
        withstood("");
    }
}
