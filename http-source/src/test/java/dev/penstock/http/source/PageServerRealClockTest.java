package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets and the real clock: that no client keeps others from the pages. */
@Timeout(120)
class PageServerRealClockTest {
    private static final String ASK = "GET /page HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(200);

    private @Nullable PageServer server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
            server.close();
        }
    }

    private PageServer started(PageServer.Pages pages, Duration head, Duration body, Duration idle, int most)
            throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        PageServer made = new PageServer(any, 100, pages, new HttpSource.Limits(head, body, idle, most), null);
        server = made;
        made.start();
        return made;
    }

    private PageServer lasting() throws IOException {
        return started((request, client) -> HttpAnswer.of(200, "page"), LONG, LONG, LONG, 2);
    }

    private static void eventuallyNobodyIsConnected(PageServer server) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (server.connections() > 0 && System.nanoTime() < until) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(server.connections()).isZero();
    }

    @Test
    void aHeadThatDoesNotComeEndsItsConnection() throws Exception {
        PageServer pages = started((request, client) -> HttpAnswer.of(200, "page"), SHORT, LONG, LONG, 2);
        try (RawClient client = new RawClient(pages.port()).send("GET /page HTTP/1.1\r\nHo");
                RawClient silent = new RawClient(pages.port())) {
            assertThat(client.answer()).startsWith("HTTP/1.1 408 ");
            assertThat(client.isClosed()).isTrue();
            assertThat(silent.isClosed()).isTrue();
        }
        eventuallyNobodyIsConnected(pages);
    }

    @Test
    void anIdleConnectionEnds() throws Exception {
        PageServer pages = started((request, client) -> HttpAnswer.of(200, "page"), LONG, LONG, SHORT, 2);
        try (RawClient client = new RawClient(pages.port())) {
            assertThat(client.send(ASK).answer()).endsWith("page");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void anAnswerThatIsNotTakenEndsItsConnection() throws Exception {
        CompletableFuture<Void> answering = new CompletableFuture<>();
        PageServer pages = started(
                (request, client) -> {
                    answering.complete(null);
                    return HttpAnswer.of(200, Headers.none(), new byte[64 << 20]);
                },
                LONG,
                SHORT,
                LONG,
                2);
        try (RawClient client = new RawClient(pages.port())) {
            client.send(ASK);
            answering.get(60, TimeUnit.SECONDS);
            eventuallyNobodyIsConnected(pages);
        }
    }

    @Test
    void aConnectionTooManyEndsOneOfThoseThatWait() throws Exception {
        PageServer pages = lasting();
        try (RawClient first = new RawClient(pages.port()).send("GET /page HT");
                RawClient second = new RawClient(pages.port()).send("GET /page HT")) {
            awaitConnections(pages, 2);
            try (RawClient third = new RawClient(pages.port())) {
                assertThat(third.send(ASK).answer()).endsWith("page");
                first.sendWhatGoes("TP/1.1\r\nHost: h\r\n\r\n");
                second.sendWhatGoes("TP/1.1\r\nHost: h\r\n\r\n");
                assertThat(List.of(lastOf(first), lastOf(second)))
                        .satisfiesOnlyOnce(answer -> assertThat(answer).endsWith("page"));
            }
        }
    }

    private static String lastOf(RawClient client) {
        try {
            return String.valueOf(client.answer());
        } catch (IOException reset) {
            return "reset";
        }
    }

    private static void awaitClosed(List<RawClient> clients, int count) throws IOException {
        Set<RawClient> closed = new HashSet<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (closed.size() < count && System.nanoTime() < until) {
            for (RawClient client : clients) {
                if (!closed.contains(client) && client.isClosedWithin(1)) {
                    closed.add(client);
                }
            }
        }
        assertThat(closed).hasSize(count);
    }

    private static void awaitConnections(PageServer pages, int count) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (pages.connections() < count && System.nanoTime() < until) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(pages.connections()).isEqualTo(count);
    }

    @Test
    void manyHalfOpenConnectionsKeepNobodyOut() throws Exception {
        PageServer pages = lasting();
        List<RawClient> halfOpen = new ArrayList<>();
        try {
            for (int i = 0; i < 50; i++) {
                halfOpen.add(new RawClient(pages.port()));
                halfOpen.getLast().sendWhatGoes("GET /page HT");
            }
            // Connections are served in any order; one that comes later than the client's would make room by closing
            // it.
            awaitClosed(halfOpen, 50 - 2);
            try (RawClient client = new RawClient(pages.port())) {
                assertThat(client.send(ASK).answer()).endsWith("page");
            }
        } finally {
            for (RawClient client : halfOpen) {
                client.close();
            }
        }
    }

    @Test
    void theTimeOfAStreamBeginsAnewWithEachPart() throws Exception {
        Duration time = Duration.ofMillis(400);
        PageServer pages = started(
                (request, client) -> {
                    try (OutputStream out = client.stream(Headers.none())) {
                        for (int part = 0; part < 4; part++) {
                            out.write("page".getBytes(StandardCharsets.US_ASCII));
                            LockSupport.parkNanos(time.toNanos() / 2);
                        }
                    }
                    return null;
                },
                LONG,
                time,
                LONG,
                2);
        try (RawClient client = new RawClient(pages.port())) {
            assertThat(client.send(ASK).head())
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Transfer-Encoding: chunked")
                    .doesNotContain("Content-Length");
            for (int part = 0; part < 4; part++) {
                assertThat(client.exactly(9)).isEqualTo("4\r\npage\r\n");
            }
            assertThat(client.exactly(5)).isEqualTo("0\r\n\r\n");
            assertThat(client.send(ASK).head()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void servesHttp10AndBodiesThatNoPageReads() throws Exception {
        PageServer pages = lasting();
        try (RawClient client = new RawClient(pages.port())) {
            client.send("GET /page HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(client.answer())
                    .contains("\r\nConnection: keep-alive\r\n")
                    .endsWith("page");
            client.send("POST /page HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi" + ASK);
            assertThat(client.answer()).endsWith("page");
            assertThat(client.answer()).endsWith("page");
            client.send("GET /page HTTP/1.0\r\n\r\n");
            assertThat(client.answer()).contains("\r\nConnection: close\r\n").endsWith("page");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void anAddressInUseIsAnException() throws Exception {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), lasting().port());
        try (PageServer other = PageServer.at(taken, 0, (request, client) -> HttpAnswer.of(200, "other"), null)) {
            assertThatIOException().isThrownBy(other::start);
        }
    }
}
