package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No client can use up the memory or the connections of a source for others. */
@Timeout(120)
class HttpSourceMemoryRealClockTest {
    private static final int LARGE = 700_000;

    private final MemoryBudget budget = MemoryBudget.of(MemoryBudget.LEAST);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();
    private HttpSource source;

    @BeforeEach
    void open() throws IOException {
        source = started(10);
    }

    @AfterEach
    void close() throws IOException {
        goOn.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        source.close();
        awaitFree();
    }

    private void awaitFree() {
        await(() -> budget.used() == 0, "all is free");
    }

    private static void await(BooleanSupplier holds, String what) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!holds.getAsBoolean() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(holds.getAsBoolean()).as(what).isTrue();
    }

    private HttpSource started(int connections) throws IOException {
        HttpSource started = budget.whileCurrent(() -> HttpSource.on(0)
                .maxConnections(connections)
                .route("/length", "length", call -> HttpAnswer.of(200, Integer.toString(call.body().length)))
                .route("/large", "large", call -> HttpAnswer.of(200, "x".repeat(LARGE)))
                .route("/wait", "wait", call -> {
                    underWay.countDown();
                    goOn.await();
                    return HttpAnswer.of(200, "waited");
                })
                .build());
        started.start();
        return started;
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /** The JVM frees direct memory only by collecting all garbage, so a buffer of its own for each answer stops the process. */
    @Test
    void answersTakeTheirBuffersFromAPool() throws IOException {
        RawClient client = client();
        long before = directBytes();
        for (int i = 0; i < 200; i++) {
            assertThat(client.send("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
                            .answer())
                    .endsWith("2");
        }
        assertThat(directBytes() - before).isLessThan(4 << 20);
    }

    private void allow(int connections) throws IOException {
        source.close();
        source = started(connections);
    }

    private RawClient client() throws IOException {
        return client("127.0.0.1");
    }

    private RawClient client(String own) throws IOException {
        clients.add(new RawClient(source.port(), own));
        return clients.getLast();
    }

    private static String head(String path, int length) {
        return "POST " + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static String request(String path, int length) {
        return head(path, length) + "x".repeat(length);
    }

    @Test
    void whatABodyOrAnAnswerTookIsGivenBack() throws Exception {
        RawClient client = client();
        for (int n = 0; n < 5; n++) {
            assertThat(client.send(request("/length", LARGE)).answer()).endsWith("\r\n\r\n" + LARGE);
            assertThat(client.send(request("/large", 0)).answer()).hasSizeGreaterThan(LARGE);
        }
        awaitFree();
        assertThat(budget.refused()).isZero();
    }

    @Test
    void aBodyLargerThanTheBudgetIsRefusedUnread() throws Exception {
        assertThat(client().send(head("/length", 900_000)).answer())
                .startsWith("HTTP/1.1 413 ")
                .contains("Penstock-Ending: none");
    }

    @Test
    void aBodyThatFindsNoMemoryIsRefusedUnread() throws Exception {
        try (MemoryBudget.Lease all = budget.lease()) {
            all.holdAtLeast(2 * MemoryBudget.LEAST);
            List<MemoryBudget.Lease> small = new ArrayList<>(List.of(budget.lease()));
            while (small.getLast().tryTake(MemoryBudget.SMALL_BYTES)) {
                small.add(budget.lease());
            }
            assertThat(client().send(head("/length", 900)).answer())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("Retry-After: ", "Penstock-Ending: none", "\"cause\":\"memory\"", "\"flow\":\"length\"");
            small.forEach(MemoryBudget.Lease::close);
        }
    }

    @Test
    void aSmallBodyFindsMemoryWhileLargeOnesStall() throws Exception {
        for (int n = 0; n < 5; n++) {
            RawClient stalled = client();
            stalled.sendWhatGoes(head("/length", LARGE) + "x".repeat(LARGE - 1));
        }
        assertThat(client().send(request("/length", 900)).answer()).endsWith("\r\n\r\n900");
    }

    private void aLargeBodyFindsMemoryInTheEnd() throws IOException {
        String answer = "";
        long end = System.nanoTime() + 60_000_000_000L;
        while (!answer.endsWith("\r\n\r\n" + LARGE) && System.nanoTime() - end < 0) {
            RawClient next = client();
            next.sendWhatGoes(request("/length", LARGE));
            answer = String.valueOf(next.answer());
        }
        assertThat(answer).endsWith("\r\n\r\n" + LARGE);
    }

    @Test
    void anUploadThatStallsIsClosedWhenAnotherNeedsItsMemory() throws Exception {
        RawClient stalled = client().send(head("/length", LARGE) + "x".repeat(LARGE - 1));
        await(() -> budget.used() >= LARGE, "it holds all but a byte");
        aLargeBodyFindsMemoryInTheEnd();
        assertThat(stalled.answer()).startsWith("HTTP/1.1 408 ");
    }

    @Test
    void aClientThatDoesNotReadIsClosedWhenAnotherNeedsItsMemory() throws Exception {
        // More than the system buffers between the two.
        RawClient stalled = client();
        for (int n = 0; n < 20; n++) {
            stalled.sendWhatGoes(request("/large", 0));
        }
        aLargeBodyFindsMemoryInTheEnd();
    }

    @Test
    void whoOpensManyConnectionsOnlyClosesItsOwn() throws Exception {
        allow(4);
        RawClient early = client("127.0.0.1").send(request("/length", 5));
        assertThat(early.answer()).endsWith("5");
        for (int n = 0; n < 20; n++) {
            client("127.0.0.2").sendWhatGoes("POST /length HT");
            RawClient idle = client("127.0.0.2");
            idle.sendWhatGoes(request("/length", 1));
        }
        assertThat(early.send(request("/length", 6)).answer()).endsWith("6");
        assertThat(client("127.0.0.3").send(request("/length", 7)).answer()).endsWith("7");
        assertThat(early.send(request("/length", 8)).answer()).endsWith("8");
    }

    @Test
    void whoWasServedStaysWhileOthersOnlyConnect() throws Exception {
        allow(4);
        RawClient served = client().send(request("/length", 5));
        assertThat(served.answer()).endsWith("5");
        try (LogCatcher log = new LogCatcher(HttpSource.class.getName())) {
            for (int n = 0; n < 40; n++) {
                client().sendWhatGoes(head("/length", 2) + "x");
            }
            await(() -> source.connections() >= 4, "it is full");
            assertThat(served.send(request("/length", 6)).answer()).endsWith("6");
            await(() -> !log.warnings().isEmpty(), "it says so");
            assertThat(log.warnings()).singleElement().asString().contains("all 4 connections", "max_connections");
        }
    }

    @Test
    void aTransactionUnderWayIsNotClosed() throws Exception {
        allow(1);
        RawClient waiting = client().send(request("/wait", 0));
        underWay.await();
        assertThat(client().send(request("/length", 3)).answer()).endsWith("3");
        assertThat(client().send(request("/length", 4)).answer()).endsWith("4");
        goOn.countDown();
        assertThat(waiting.answer()).endsWith("waited");
        client();
        await(() -> source.connections() <= 1, "one is left at most, by its time to be idle");
    }

    @Test
    void anIdleConnectionIsKeptForLessTimeWhileTheSourceIsFull() {
        assertThat(ClientConnections.scaled(Duration.ofSeconds(60), 5, 10)).hasSeconds(60);
        assertThat(ClientConnections.scaled(Duration.ofSeconds(60), 8, 10)).hasSeconds(24);
        assertThat(ClientConnections.scaled(Duration.ofSeconds(60), 12, 10)).hasSeconds(6);
    }
}
