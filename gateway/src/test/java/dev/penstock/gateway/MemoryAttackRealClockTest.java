package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with a heap of 128 MB continues to serve others while clients or a target fill its memory. */
@Timeout(300)
class MemoryAttackRealClockTest {
    private static final int MEGABYTE = 1 << 20;
    private static final int LARGE = 4 * MEGABYTE;
    private static final int PIECE = 16 << 10;

    /** The whole attack: -Dpenstock.attack.connections=10000. */
    private static final int UPLOADS = Integer.getInteger("penstock.attack.connections", 1_000);

    private static final Duration LASTS = Duration.ofSeconds(Integer.getInteger("penstock.attack.seconds", 3));

    private static final String SMALL = "small body";
    private static final byte[] OK = {'o', 'k'};
    private static final byte[] WRONG = {'n', 'o'};

    @TempDir
    Path folder;

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<AutoCloseable> open = new ArrayList<>();
    private HttpServer target;
    private ServerSocket trickling;
    private int admin;

    @BeforeEach
    void open() throws IOException {
        target = Running.target(this::answer);
        trickling = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::trickle);
        admin = StablePort.free();
    }

    @AfterEach
    void close() throws Exception {
        over.countDown();
        for (AutoCloseable each : open) {
            each.close();
        }
        trickling.close();
        target.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            long bytes = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            boolean large = exchange.getRequestURI().getPath().startsWith("/large");
            exchange.sendResponseHeaders(200, large ? LARGE : 2);
            OutputStream to = exchange.getResponseBody();
            // The HTTP server of the JDK copies each piece.
            for (int n = 0; large && n < LARGE; n += PIECE) {
                to.write(new byte[PIECE]);
            }
            if (!large) {
                to.write(bytes == SMALL.length() ? OK : WRONG);
            }
        }
    }

    /** Declares a body of 16 MB to each caller, and sends a byte from time to time. */
    private void trickle() {
        while (!trickling.isClosed()) {
            try {
                Socket caller = trickling.accept();
                threads.execute(() -> {
                    try (caller) {
                        OutputStream to = caller.getOutputStream();
                        to.write("HTTP/1.1 200 OK\r\nContent-Length: 16777216\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                        while (!over.await(100, TimeUnit.MILLISECONDS)) {
                            to.write('x');
                            to.flush();
                        }
                    } catch (IOException | InterruptedException e) {
                        // The client gave up, or the test is over.
                    }
                });
            } catch (IOException e) {
                return;
            }
        }
    }

    private ChildGateway start() throws IOException {
        Path flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                admin: { port: %d }
                flows:
                  small:   { from: { http: { port: 0, path: /small } },          to: { http: { url: "http://127.0.0.1:%4$d/" } } }
                  upload:  { from: { http: { port: %3$d, path: /upload } },  to: { http: { url: "http://127.0.0.1:%4$d/" } } }
                  large:   { from: { http: { port: %3$d, path: /large } },   to: { http: { url: "http://127.0.0.1:%4$d/large" } } }
                  trickle: { from: { http: { port: %3$d, path: /trickle } }, to: { http: { url: "http://127.0.0.1:%5$d/" } } }
                """.replace("port: 0", "port: %3$d").formatted(
                folder.resolve("state"),
                admin,
                StablePort.free(),
                target.getAddress().getPort(),
                trickling.getLocalPort()));
        return ChildGateway.start(flows, folder.resolve("errors"), "-Xmx128m", "-XX:+ExitOnOutOfMemoryError");
    }

    private static Bystander others(String url) throws InterruptedException {
        return Bystander.posting(url, SMALL, LASTS);
    }

    /** Starts the attack: each client sends the given bytes and reads nothing. */
    private void attack(URI gateway, int clients, byte[] head, int body) throws IOException {
        Selector selector = Selector.open();
        open.add(selector);
        for (int n = 0; n < clients; n++) {
            SocketChannel client = SocketChannel.open();
            open.add(client);
            client.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
            client.configureBlocking(false);
            client.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()));
            ByteBuffer bytes = ByteBuffer.allocate(head.length).put(head).flip();
            client.register(selector, SelectionKey.OP_CONNECT, new Sending(bytes, body));
        }
        Thread.ofPlatform().daemon().start(() -> send(selector));
    }

    private static final class Sending {
        private ByteBuffer bytes;
        private int left;

        Sending(ByteBuffer bytes, int left) {
            this.bytes = bytes;
            this.left = left;
        }
    }

    private static void send(Selector selector) {
        ByteBuffer zeros = ByteBuffer.allocateDirect(16 << 10);
        while (selector.isOpen()) {
            try {
                selector.select(key -> {
                    try {
                        go(key, zeros);
                    } catch (IOException e) {
                        key.cancel();
                    }
                });
            } catch (IOException | java.nio.channels.ClosedSelectorException e) {
                return;
            }
        }
    }

    private static void go(SelectionKey key, ByteBuffer zeros) throws IOException {
        SocketChannel client = (SocketChannel) key.channel();
        Sending sending = (Sending) key.attachment();
        if (key.isConnectable() && client.finishConnect()) {
            key.interestOps(SelectionKey.OP_WRITE);
            return;
        }
        if (!sending.bytes.hasRemaining()) {
            zeros.clear().limit(Math.min(zeros.capacity(), sending.left));
            sending.left -= zeros.limit();
            sending.bytes = zeros.duplicate();
        }
        client.write(sending.bytes);
        if (!sending.bytes.hasRemaining() && sending.left == 0) {
            key.interestOps(0);
        }
    }

    private void survives(String what, String path, int clients, String more, int body) throws Exception {
        try (ChildGateway gateway = start()) {
            URI url = URI.create(gateway.url());
            assertThat(others(gateway.url()).endings()).containsOnlyKeys("200 ok");
            Bystander before = others(gateway.url());
            byte[] head = (path + " HTTP/1.1\r\nHost: h\r\n" + more + "\r\n").getBytes(StandardCharsets.US_ASCII);
            attack(url, clients, head, body);
            Bystander during = others(gateway.url());
            String line = "%s: before %s; during %s; %s".formatted(what, before, during, memory());
            System.out.println(line);
            // A body waits 500 ms for memory, and among so many clients a request has 1 s to come in: on a busy machine
            // one may be
            // refused before the slow clients are ended, and then few are sent in all.
            assertThat(during.endings().keySet())
                    .as(line)
                    .contains("200 ok")
                    .allMatch(ending -> ending.equals("200 ok")
                            || ending.startsWith("408 ")
                            || ending.contains("\"cause\":\"memory\""));
            assertThat(during.shareOf("200 ok")).as(line).isGreaterThan(0.8);
            over.countDown();
            for (AutoCloseable each : open) {
                each.close();
            }
            open.clear();
            Running.until(() -> memory().contains("state=\"used\"} 0.0"), this::memory);
            gateway.stop();
        }
    }

    private String memory() {
        try {
            return Running.get("http://127.0.0.1:" + admin + "/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("penstock_memory"))
                    .reduce("", (all, line) -> all + line + " ");
        } catch (IOException | InterruptedException e) {
            return e.toString();
        }
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void uploadsThatStallBeforeTheirLastByte() throws Exception {
        survives(UPLOADS + " uploads", "POST /upload", UPLOADS, "Content-Length: " + MEGABYTE + "\r\n", MEGABYTE - 1);
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void clientsThatDoNotReadLargeAnswers() throws Exception {
        survives("300 slow readers", "GET /large", 300, "", 0);
    }

    @Tag("full")
    @Tag("full-only")
    @Test
    void targetThatDeclaresALongBodyAndSendsLittle() throws Exception {
        survives("300 callers of a trickling target", "GET /trickle", 300, "", 0);
    }
}
