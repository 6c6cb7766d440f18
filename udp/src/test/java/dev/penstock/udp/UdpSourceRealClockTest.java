package dev.penstock.udp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.RequestIds;
import dev.penstock.udp.target.UdpTarget;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every datagram is answered, or counted where it was lost. Real sockets. */
@Timeout(120)
class UdpSourceRealClockTest {
    private static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 0);
    private static final ByteReplacement REPLACE =
            ByteReplacement.bytes("ping".getBytes(ISO_8859_1), "pong".getBytes(ISO_8859_1));

    enum Way {
        INLINE,
        FLOW,
        INLINE_PLAIN,
        FLOW_PLAIN;

        UdpSource of(UdpSourceBuilder builder) {
            UdpSourceBuilder by = this == INLINE_PLAIN || this == FLOW_PLAIN ? builder.plainSockets() : builder;
            return this == INLINE || this == INLINE_PLAIN
                    ? by.inline(REPLACE)
                    : by.to(Flow.named("udp").deadline(Duration.ofMinutes(10)).to(REPLACE));
        }
    }

    /** A client. */
    private static final class Asker implements AutoCloseable {
        private final UdpSocket socket;
        private final DatagramBatch out;
        private final DatagramBatch in;
        private final InetSocketAddress to;
        private int sent;

        Asker(UdpSource source) throws IOException {
            this.socket = UdpSocket.bind(HERE, false);
            socket.receiveBuffer(32 << 20);
            this.to = new InetSocketAddress("127.0.0.1", source.local().getPort());
            this.out = socket.batch(64, 4_096);
            this.in = socket.batch(64, 4_096);
        }

        void send(String... texts) throws IOException {
            for (int from = 0; from < texts.length; ) {
                int count = Math.min(64, texts.length - from);
                for (int slot = 0; slot < count; slot++) {
                    byte[] bytes = texts[from + slot].getBytes(ISO_8859_1);
                    out.bytes(slot).put(0, bytes);
                    out.length(slot, bytes.length);
                    out.peer(slot, to);
                }
                int done = 0;
                while (done < count) {
                    int taken = socket.send(out, done, count - done);
                    assertThat(taken).isNotEqualTo(UdpSocket.UNSENDABLE);
                    done += taken;
                    if (taken == 0) {
                        socket.awaitRoom(1_000_000);
                    }
                }
                sent += count;
                from += count;
            }
        }

        /** Receives the given number of answers, or those that arrived before a minute without one. */
        List<String> answers(int count) throws IOException {
            List<String> answers = new ArrayList<>();
            while (answers.size() < count && socket.await(Duration.ofMinutes(1).toNanos())) {
                int got = socket.receive(in, 0, 64);
                for (int slot = 0; slot < got; slot++) {
                    byte[] bytes = new byte[in.length(slot)];
                    in.bytes(slot).get(0, bytes);
                    answers.add(new String(bytes, ISO_8859_1));
                }
            }
            return answers;
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** A maximum wait that no datagram reaches, however busy the machine is. */
    private static UdpSourceBuilder here() {
        return UdpSource.at(HERE).wait(Duration.ofMinutes(1));
    }

    private static void until(BooleanSupplier is) {
        while (!is.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("it did not become so in time");
            }
            LockSupport.parkNanos(50_000);
        }
    }

    private static long count(UdpSource source, String what) {
        Long count = source.counts().get(what);
        assertThat(count).as(what).isNotNull();
        return count == null ? 0 : count;
    }

    private static long drops(UdpSource source, DropLocation place) {
        Long count = source.drops().get(place);
        assertThat(count).as(place.word()).isNotNull();
        return count == null ? 0 : count;
    }

    /** The accounting invariant: everything that was sent is counted somewhere. */
    private static void assertAddsUp(UdpSource source, long sent) {
        Map<String, Long> counts = source.counts();
        long after = 0;
        for (DropLocation place : List.of(
                DropLocation.OWN,
                DropLocation.PEER,
                DropLocation.TRUNCATED,
                DropLocation.RING,
                DropLocation.HANDLER,
                DropLocation.SEND)) {
            after += drops(source, place);
        }
        assertThat(count(source, "received") + drops(source, DropLocation.SOCKET))
                .as("received and dropped before, of %s %s", counts, source.drops())
                .isEqualTo(sent);
        assertThat(count(source, "answered") + count(source, "unanswered") + count(source, "waiting") + after)
                .as("what became of it: %s %s", counts, source.drops())
                .isEqualTo(count(source, "received"));
    }

    @ParameterizedTest
    @EnumSource
    void answersEveryDatagram(Way way) throws Exception {
        try (UdpSource source = way.of(here())) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[2_000];
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < texts.length; i++) {
                    texts[i] = i + " ping " + "x".repeat(i % 900);
                    expected.add(texts[i].replace("ping", "pong"));
                }
                // Plain sockets have the system's default buffer.
                List<String> answers = new ArrayList<>();
                for (int from = 0; from < texts.length; from += 50) {
                    asker.send(List.of(texts).subList(from, from + 50).toArray(new String[0]));
                    answers.addAll(asker.answers(50));
                }

                assertThat(answers).containsExactlyInAnyOrderElementsOf(expected);
                until(() -> count(source, "answered") == texts.length);
                assertAddsUp(source, texts.length);
                assertThat(count(source, "waiting")).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void countsEmptyAndTruncatedDatagrams(Way way) throws Exception {
        try (UdpSource source = way.of(here().maxSize(100))) {
            source.start();
            try (Asker asker = new Asker(source)) {
                asker.send("", "x".repeat(100), "x".repeat(101), "x".repeat(4_000), "ping");

                assertThat(asker.answers(3)).containsExactlyInAnyOrder("", "x".repeat(100), "pong");
                until(() -> count(source, "waiting") == 0 && count(source, "received") == 5);
                assertThat(drops(source, DropLocation.TRUNCATED)).isEqualTo(2);
                assertAddsUp(source, 5);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"INLINE, 4096", "INLINE, 212992", "FLOW, 4096", "FLOW, 212992"})
    void countsDropsOfASmallBufferExactly(Way way, long buffer) throws Exception {
        try (UdpSource source = way.of(here().buffer(buffer).ring(64))) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[20_000];
                java.util.Arrays.fill(texts, "ping" + "y".repeat(1_020));
                asker.send(texts);
                until(() -> count(source, "received") + drops(source, DropLocation.SOCKET) == texts.length
                        && count(source, "waiting") == 0);
                assertThat(asker.answers((int) count(source, "answered"))).hasSize((int) count(source, "answered"));
                assertAddsUp(source, texts.length);
            }
        }
    }

    /** Sends from the port of a source, as a forged sender address would. */
    private static void forge(UdpSource from, UdpSource to) throws IOException {
        try (DatagramSocket forger = new DatagramSocket(null)) {
            forger.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            forger.bind(new InetSocketAddress("127.0.0.1", from.local().getPort()));
            byte[] bytes = "ping".getBytes(ISO_8859_1);
            forger.send(new DatagramPacket(
                    bytes,
                    bytes.length,
                    new InetSocketAddress("127.0.0.1", to.local().getPort())));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "INLINE, 127.0.0.1",
        "INLINE, 0.0.0.0",
        "INLINE, ::",
        "FLOW, 127.0.0.1",
        "FLOW, ::",
        "INLINE_PLAIN, ::",
        "FLOW_PLAIN, 127.0.0.1"
    })
    void forgedSenderAddressCausesNoLoop(Way way, String bind) throws Exception {
        InetSocketAddress at = new InetSocketAddress(bind, 0);
        // Two sockets each, so that a third one could share the port.
        try (UdpSource source = way.of(UdpSource.at(at).burst(100).shards(2));
                UdpSource other = way.of(UdpSource.at(at).burst(100).shards(2))) {
            source.start();
            other.start();
            forge(source, other);
            until(() -> drops(other, DropLocation.OWN) == 1 || count(other, "received") > 100);
            forge(other, source);
            until(() -> drops(source, DropLocation.OWN) == 1 || count(source, "received") > 100);
            assertThat(drops(other, DropLocation.OWN)).isEqualTo(1);
            assertThat(drops(source, DropLocation.OWN)).isEqualTo(1);
            assertThat(count(other, "answered") + count(source, "answered")).isZero();
            try (Asker asker = new Asker(other)) {
                asker.send("ping");
                assertThat(asker.answers(1)).containsExactly("pong");
            }
        }
    }

    @Test
    void dropsDatagramsOfItsOwnProcessIfConfigured() throws Exception {
        try (UdpSource source = Way.FLOW.of(here());
                UdpTarget chained = UdpTarget.at("127.0.0.1", started(source))
                        .ids(RequestIds.at(0, 4))
                        .build();
                UdpTarget forbidden = UdpTarget.at("127.0.0.1", source.local().getPort())
                        .ids(RequestIds.at(0, 4))
                        .notToOwnSources()
                        .build()) {
            assertThat(ask(chained)).isEqualTo("same");
            FutureTask<String> asked = new FutureTask<>(() -> ask(forbidden));
            Thread.ofVirtual().start(asked);
            until(() -> drops(source, DropLocation.OWN) == 1);
            forbidden.close();
            assertThatThrownBy(asked::get).hasCauseInstanceOf(Unknown.class);
            assertThat(drops(source, DropLocation.OWN)).isEqualTo(1);
        }
    }

    private static int started(UdpSource source) throws IOException {
        source.start();
        return source.local().getPort();
    }

    private static String ask(UdpTarget target) throws Exception {
        return new String(target.call(Datagram.of("same".getBytes(ISO_8859_1))), ISO_8859_1);
    }

    @Test
    void failingHandlerLosesOnlyItsDatagram() throws Exception {
        DatagramHandler handler = (request, answer) -> switch (request.get(0)) {
            case 'b' -> throw new IllegalStateException("broken");
            case 's' -> throw new StackOverflowError();
            case 'e' -> throw new NoClassDefFoundError("a part is missing");
            case 'o' -> {
                answer.put(new byte[answer.capacity() + 1]);
                yield true;
            }
            case 'n' -> false;
            default -> {
                answer.put(request);
                yield true;
            }
        };
        try (UdpSource source = here().inline(handler)) {
            source.start();
            try (Asker asker = new Asker(source)) {
                asker.send("good", "bad", "over", "none", "so deep", "error", "great");

                assertThat(asker.answers(2)).containsExactly("good", "great");
                until(() -> count(source, "waiting") == 0 && count(source, "received") == 7);
                assertThat(drops(source, DropLocation.HANDLER)).isEqualTo(4);
                assertThat(count(source, "unanswered")).isEqualTo(1);
                assertAddsUp(source, 7);
            }
        }
    }

    @Test
    void failingServiceLosesOnlyItsDatagram() throws Exception {
        try (UdpSource source = here().ring(64).to(request -> switch (request.bytes()[0]) {
            case 'b' -> throw new IllegalStateException("broken");
            case 'e' -> throw new NoClassDefFoundError("a part is missing");
            case 'o' -> new byte[UdpSourceBuilder.DEFAULT_MAX_SIZE + 1];
            case 'n' -> Datagram.NO_ANSWER;
            default -> request.bytes();
        })) {
            source.start();
            try (Asker asker = new Asker(source)) {
                for (int i = 0; i < 100; i++) {
                    asker.send("error"); // more than the maximum number of threads
                }
                asker.send("good", "bad", "over", "none", "great");

                assertThat(asker.answers(2)).containsExactlyInAnyOrder("good", "great");
                until(() -> count(source, "waiting") == 0 && count(source, "received") == 105);
                assertThat(drops(source, DropLocation.HANDLER)).isEqualTo(102);
                assertThat(count(source, "unanswered")).isEqualTo(1);
                assertAddsUp(source, 105);
            }
        }
    }

    @Test
    void thousandSlowDatagramsDoNotDelayOthers() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        try (UdpSource source = here().to(request -> {
            if (request.bytes()[0] == 'w') {
                inside.incrementAndGet();
                open.await();
            }
            return request.bytes();
        })) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[1_001];
                java.util.Arrays.fill(texts, "wait");
                texts[1_000] = "pass";
                asker.send(texts);

                assertThat(asker.answers(1)).containsExactly("pass");
                until(() -> inside.get() == 1_000);
                until(() -> count(source, "waiting") == 1_000);
                assertAddsUp(source, 1_001);
                open.countDown();
                assertThat(asker.answers(1_000)).hasSize(1_000).containsOnly("wait");
            }
        }
    }

    @Test
    void ringLimitsConcurrentHandlers() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger inside = new AtomicInteger();
        try (UdpSource source = here().ring(64).to(request -> {
            inside.incrementAndGet();
            open.await();
            return request.bytes();
        })) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[500];
                java.util.Arrays.fill(texts, "wait");
                asker.send(texts);
                until(() -> inside.get() == 64 && count(source, "received") == 128);

                assertThat(inside.get()).isEqualTo(64);
                open.countDown();
                assertThat(asker.answers(500)).hasSize(500);
                until(() -> count(source, "waiting") == 0);
                assertAddsUp(source, 500);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countsUnprocessedDatagramsOnClose(boolean inTheFlow) throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(inTheFlow ? 64 : 1);
        UdpSource source = inTheFlow
                ? here().ring(64).to(request -> {
                    inside.countDown();
                    open.await();
                    return request.bytes();
                })
                : here().ring(64).inline((request, answer) -> {
                    inside.countDown();
                    open.await();
                    return true;
                });
        try (source) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[1_000];
                java.util.Arrays.fill(texts, "wait");
                asker.send(texts);
                inside.await();
                Thread closer = Thread.ofVirtual().start(() -> {
                    source.stopAccepting();
                    source.close();
                });
                if (!inTheFlow) {
                    open.countDown();
                }
                closer.join();
                assertAddsUp(source, 1_000);
                open.countDown();
                until(() -> count(source, "waiting") == 0);
                assertAddsUp(source, 1_000);
                if (inTheFlow) {
                    assertThat(drops(source, DropLocation.RING)).isEqualTo(1_000 - 64);
                    assertThat(drops(source, DropLocation.SEND))
                            .as("too late to be sent")
                            .isEqualTo(64);
                }
            }
        }
    }

    @Test
    void doesNotAnswerAfterTheMaximumWait() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        AtomicInteger handled = new AtomicInteger();
        try (UdpSource source = here().ring(64).wait(Duration.ofMillis(1)).to(request -> {
            handled.incrementAndGet();
            open.await();
            return request.bytes();
        })) {
            source.start();
            try (Asker asker = new Asker(source)) {
                String[] texts = new String[128];
                java.util.Arrays.fill(texts, "wait");
                asker.send(texts);
                until(() -> count(source, "received") == 128);
                long later = System.nanoTime() + 20_000_000;
                until(() -> System.nanoTime() - later > 0);
                open.countDown();
                until(() -> count(source, "waiting") == 0);
                assertThat(drops(source, DropLocation.RING))
                        .isEqualTo(128 - handled.get())
                        .isGreaterThanOrEqualTo(64);
                assertAddsUp(source, 128);
            }
        }
    }

    @Test
    void repeatGetsTheFirstAnswerAndIsNotHandledAgain() throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (IdempotencyStore ledger = IdempotencyStore.inMemory(1_000)) {
            Flow<Datagram, byte[]> flow = Flow.named("once")
                    .dedupe(Dedupe.byKey(Datagram.ID, ledger, Datagram.answers()))
                    .to(request -> (handled.incrementAndGet() + ". " + request.id()).getBytes(ISO_8859_1));
            try (UdpSource source = here().id(UdpSourceRealClockTest::firstWord).to(flow)) {
                source.start();
                try (Asker asker = new Asker(source)) {
                    asker.send("a1 pay");
                    assertThat(asker.answers(1)).containsExactly("1. a1");
                    asker.send("a1 pay", "a2 pay");
                    assertThat(asker.answers(2)).containsExactlyInAnyOrder("1. a1", "2. a2");
                    assertThat(handled.get()).isEqualTo(2);
                }
            }
        }
    }

    private static @Nullable String firstWord(Datagram datagram) {
        String text = new String(datagram.bytes(), ISO_8859_1);
        return text.indexOf(' ') > 0 ? text.substring(0, text.indexOf(' ')) : null;
    }

    @Test
    void socketsShareTheSenders() throws Exception {
        try (UdpSource source = here().shards(4).inline(REPLACE)) {
            source.start();
            List<Asker> askers = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                askers.add(new Asker(source));
            }
            for (Asker asker : askers) {
                asker.send("ping", "ping", "ping");
            }
            for (Asker asker : askers) {
                assertThat(asker.answers(3)).hasSize(3).containsOnly("pong");
                asker.close();
            }
            until(() -> count(source, "answered") == 96);
            assertAddsUp(source, 96);
        }
    }

    @Test
    void socketsShareTheRateOfASender() throws Exception {
        // One datagram in 1,000 s. Each asker has a port of its own, so their datagrams reach several sockets.
        try (UdpSource source = here().shards(4).rate(0.001).inline(REPLACE)) {
            source.start();
            for (int i = 0; i < 32; i++) {
                try (Asker asker = new Asker(source)) {
                    asker.send("ping");
                }
            }
            until(() -> count(source, "received") == 32 && count(source, "waiting") == 0);
            assertThat(drops(source, DropLocation.PEER)).isEqualTo(31);
        }
    }

    @Test
    void readerThreadAllocatesNothing() throws Exception {
        var memory = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        try (UdpSource source = here().inline(REPLACE)) {
            source.start();
            long reader = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName()
                            .equals("penstock-udp-" + source.local().getPort() + "-0"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            try (Asker asker = new Asker(source)) {
                double each = Double.MAX_VALUE;
                // Compiled code allocates nothing; when it is compiled depends on the machine.
                for (int tries = 0; each >= 1 && tries < 60; tries++) {
                    long before = memory.getThreadAllocatedBytes(reader);
                    rounds(asker, 300);
                    each = (memory.getThreadAllocatedBytes(reader) - before) / (300.0 * 64);
                }

                assertThat(each).as("bytes for each datagram").isLessThan(1);
            }
        }
    }

    private static void rounds(Asker asker, int count) throws IOException {
        String[] texts = new String[64];
        java.util.Arrays.fill(texts, "ping" + "z".repeat(1_020));
        for (int i = 0; i < count; i++) {
            asker.send(texts);
            assertThat(asker.answers(64)).hasSize(64);
        }
    }

    @Test
    void reportsAPortInUse() throws Exception {
        try (UdpSource source = here().inline(REPLACE)) {
            source.start();
            try (UdpSource other = UdpSource.at(source.local()).inline(REPLACE)) {
                assertThatThrownBy(other::start).isInstanceOf(IOException.class).hasMessageContaining("choose another");
            }
            assertThatThrownBy(source::start).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void portOfSeveralSocketsIsNotSharedWithOtherSources() throws Exception {
        try (UdpSource source = here().shards(2).inline(REPLACE)) {
            source.start();
            try (UdpSource other = UdpSource.at(source.local()).shards(2).inline(REPLACE)) {
                assertThatThrownBy(other::start).isInstanceOf(IOException.class).hasMessageContaining("choose another");
            }
        }
    }

    /** A client takes an answer only from the address that it asked. */
    @ParameterizedTest
    @CsvSource({
        "INLINE, 0.0.0.0",
        "FLOW, 0.0.0.0",
        "INLINE, ::",
        "FLOW, ::",
    })
    void answersFromTheAddressThatWasAsked(Way way, String bound) throws Exception {
        assumeTrue(UdpSocket.isNative(), "Java's sockets do not tell the address");
        UdpSourceBuilder builder = UdpSource.at(new InetSocketAddress(bound, 0)).wait(Duration.ofMinutes(1));
        List<String> asked = List.of("127.0.0.1", "127.0.0.2", "127.0.0.2", "127.0.0.3");
        try (UdpSource source = way.of(builder);
                DatagramSocket client = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"))) {
            source.start();
            client.setSoTimeout(60_000);
            for (String address : asked) {
                byte[] bytes = ("ping " + address).getBytes(ISO_8859_1);
                client.send(new DatagramPacket(
                        bytes,
                        bytes.length,
                        InetAddress.getByName(address),
                        source.local().getPort()));
            }
            for (int answer = 0; answer < asked.size(); answer++) {
                DatagramPacket got = new DatagramPacket(new byte[100], 100);
                client.receive(got);
                assertThat(new String(got.getData(), 0, got.getLength(), ISO_8859_1))
                        .isEqualTo("pong " + got.getAddress().getHostAddress());
            }
        }
    }
}
