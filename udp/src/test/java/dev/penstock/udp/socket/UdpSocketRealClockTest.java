package dev.penstock.udp.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Both kinds of socket behave the same. Real sockets. */
@Timeout(120)
class UdpSocketRealClockTest {
    /** Longer than a test may take. */
    private static final long LONG = Duration.ofMinutes(10).toNanos();

    enum Kind {
        NATIVE,
        CHANNEL;

        UdpSocket bind(InetSocketAddress at) throws IOException {
            return this == NATIVE ? UdpSocket.bind(at, false) : UdpSocket.bindChannel(at, false);
        }

        UdpSocket bind() throws IOException {
            return bind(new InetSocketAddress("127.0.0.1", 0));
        }
    }

    private static void fill(DatagramBatch batch, int slot, String text, InetSocketAddress to) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        batch.bytes(slot).put(0, bytes);
        batch.length(slot, bytes.length);
        batch.peer(slot, to);
    }

    private static String text(DatagramBatch batch, int slot) {
        byte[] bytes = new byte[batch.length(slot)];
        batch.bytes(slot).get(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static int receive(UdpSocket socket, DatagramBatch into, int count) throws IOException {
        int got = 0;
        while (got < count && socket.await(LONG)) {
            got += socket.receive(into, got, into.slots() - got);
        }
        return got;
    }

    @Test
    void usesSystemCallsOnLinux() {
        assertThat(UdpSocket.isNative()).isEqualTo("Linux".equals(System.getProperty("os.name")));
    }

    @ParameterizedTest
    @EnumSource
    void sendsAndReceivesManyDatagramsPerCall(Kind kind) throws Exception {
        try (UdpSocket from = kind.bind();
                UdpSocket to = kind.bind()) {
            DatagramBatch out = from.batch(8, 100);
            DatagramBatch in = to.batch(16, 100);
            for (int i = 0; i < 8; i++) {
                fill(out, i, "number " + i, to.local());
            }
            fill(out, 5, "", to.local());

            assertThat(from.send(out, 0, 8)).isEqualTo(8);

            assertThat(receive(to, in, 8)).isEqualTo(8);
            assertThat(text(in, 0)).isEqualTo("number 0");
            assertThat(text(in, 5)).isEmpty();
            assertThat(text(in, 7)).isEqualTo("number 7");
            assertThat(in.peer(3)).isEqualTo(from.local());
            assertThat(to.receive(in, 0, 16)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answersTheSenderOfTheRequest(Kind kind) throws Exception {
        try (UdpSocket asker = kind.bind();
                UdpSocket other = kind.bind();
                UdpSocket server = kind.bind()) {
            DatagramBatch question = asker.batch(1, 100);
            fill(question, 0, "who?", server.local());
            DatagramBatch more = other.batch(1, 100);
            fill(more, 0, "and I?", server.local());
            asker.send(question, 0, 1);
            other.send(more, 0, 1);
            DatagramBatch in = server.batch(2, 100);
            assertThat(receive(server, in, 2)).isEqualTo(2);
            DatagramBatch out = server.batch(2, 100);
            for (int i = 0; i < 2; i++) {
                fill(out, 1 - i, "you: " + text(in, i), asker.local());
                out.peer(1 - i, in, i);
            }

            assertThat(server.send(out, 0, 2)).isEqualTo(2);

            assertThat(receive(asker, question, 1)).isEqualTo(1);
            assertThat(receive(other, more, 1)).isEqualTo(1);
            assertThat(text(question, 0)).isEqualTo("you: who?");
            assertThat(text(more, 0)).isEqualTo("you: and I?");
        }
    }

    /** Adjacent datagrams with the same peer and length are sent as one message; receivers must not notice. */
    @ParameterizedTest
    @EnumSource
    void batchMayMixPeersAndLengths(Kind kind) throws Exception {
        Random random = new Random(5);
        try (UdpSocket from = kind.bind();
                UdpSocket one = kind.bind();
                UdpSocket other = kind.bind()) {
            DatagramBatch out = from.batch(30, 3_000);
            for (int round = 0; round < 100; round++) {
                List<String> forOne = new ArrayList<>();
                List<String> forOther = new ArrayList<>();
                int length = 1_024;
                boolean toOne = true;
                for (int slot = 0; slot < 30; slot++) {
                    toOne = random.nextInt(7) == 0 ? !toOne : toOne;
                    length = random.nextInt(5) == 0 ? random.nextInt(3_000) : length;
                    String text = String.valueOf((char) ('a' + slot % 26)).repeat(length);
                    (toOne ? forOne : forOther).add(text);
                    fill(out, slot, text, (toOne ? one : other).local());
                }
                for (int sent = 0; sent < 30; ) {
                    sent += from.send(out, sent, 30 - sent);
                }
                assertThat(texts(one, forOne.size())).isEqualTo(forOne);
                assertThat(texts(other, forOther.size())).isEqualTo(forOther);
            }
        }
    }

    private static List<String> texts(UdpSocket socket, int count) throws IOException {
        DatagramBatch in = socket.batch(30, 3_000);
        assertThat(receive(socket, in, count)).isEqualTo(count);
        List<String> texts = new ArrayList<>();
        for (int slot = 0; slot < count; slot++) {
            texts.add(text(in, slot));
        }
        return texts;
    }

    @ParameterizedTest
    @EnumSource
    void detectsTruncation(Kind kind) throws Exception {
        try (UdpSocket from = kind.bind();
                UdpSocket to = kind.bind()) {
            DatagramBatch out = from.batch(3, 100);
            fill(out, 0, "x".repeat(10), to.local());
            fill(out, 1, "x".repeat(11), to.local());
            fill(out, 2, "x".repeat(9), to.local());
            from.send(out, 0, 3);
            DatagramBatch in = to.batch(3, 10);

            assertThat(receive(to, in, 3)).isEqualTo(3);

            assertThat(List.of(in.isTruncated(0), in.isTruncated(1), in.isTruncated(2)))
                    .containsExactly(false, true, false);
            assertThat(List.of(in.length(0), in.length(1), in.length(2))).containsExactly(10, 10, 9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sendsTheLargestDatagram(Kind kind) throws Exception {
        try (UdpSocket from = kind.bind();
                UdpSocket to = kind.bind()) {
            DatagramBatch out = from.batch(1, UdpSocket.MOST_BYTES);
            fill(out, 0, "y".repeat(UdpSocket.MOST_BYTES), to.local());
            DatagramBatch in = to.batch(1, UdpSocket.MOST_BYTES);

            assertThat(from.send(out, 0, 1)).isEqualTo(1);

            assertThat(receive(to, in, 1)).isEqualTo(1);
            assertThat(in.length(0)).isEqualTo(UdpSocket.MOST_BYTES);
            assertThat(in.isTruncated(0)).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void skipsAnUnsendableDatagram(Kind kind) throws Exception {
        try (UdpSocket from = kind.bind();
                UdpSocket to = kind.bind()) {
            DatagramBatch out = from.batch(2, 10);
            fill(out, 0, "nowhere", new InetSocketAddress("127.0.0.1", 0));
            fill(out, 1, "there", to.local());

            assertThat(from.send(out, 0, 2)).isEqualTo(UdpSocket.UNSENDABLE);
            assertThat(from.send(out, 1, 1)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitEndsByWakeAndByTimeout(Kind kind) throws Exception {
        try (UdpSocket socket = kind.bind()) {
            assertThat(socket.await(1)).isFalse();
            socket.wake();
            assertThat(socket.await(LONG)).isFalse();
            Thread waker = Thread.ofVirtual().start(socket::wake);
            assertThat(socket.await(LONG)).isFalse();
            waker.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ipv6WildcardReceivesIpv4AndIpv6(Kind kind) throws Exception {
        try (UdpSocket server = kind.bind(new InetSocketAddress(InetAddress.getByName("::"), 0));
                UdpSocket six = kind.bind(new InetSocketAddress("::1", 0));
                UdpSocket four = kind.bind()) {
            int port = server.local().getPort();
            DatagramBatch fromSix = six.batch(1, 10);
            fill(fromSix, 0, "six", new InetSocketAddress("::1", port));
            DatagramBatch fromFour = four.batch(1, 10);
            fill(fromFour, 0, "four", new InetSocketAddress("127.0.0.1", port));
            assertThat(six.send(fromSix, 0, 1)).isEqualTo(1);
            assertThat(four.send(fromFour, 0, 1)).isEqualTo(1);
            DatagramBatch in = server.batch(2, 10);
            assertThat(receive(server, in, 2)).isEqualTo(2);
            assertThat(List.of(in.peer(0), in.peer(1))).containsExactly(six.local(), four.local());
            DatagramBatch out = server.batch(2, 10);
            for (int i = 0; i < 2; i++) {
                fill(out, i, "back", in.peer(i));
            }

            assertThat(server.send(out, 0, 2)).isEqualTo(2);

            assertThat(receive(four, fromFour, 1)).isEqualTo(1);
            assertThat(receive(six, fromSix, 1)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reportsAPortInUseWithARemedy(Kind kind) throws Exception {
        try (UdpSocket there = kind.bind()) {
            assertThatThrownBy(() -> kind.bind(there.local()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("choose another");
        }
        assertThatThrownBy(() -> kind.bind(new InetSocketAddress("192.0.2.1", 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("choose");
        assertThatThrownBy(() -> kind.bind(InetSocketAddress.createUnresolved("nobody.invalid", 0)))
                .hasMessageContaining("nobody.invalid");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 500, 1_024, 1_400, 2_048, 8_000})
    void countsKernelDropsExactly(int size) throws Exception {
        assumeThat(UdpSocket.isNative()).isTrue();
        try (UdpSocket from = Kind.NATIVE.bind();
                UdpSocket to = Kind.NATIVE.bind()) {
            long buffer = to.receiveBuffer(212_992);
            DatagramBatch out = from.batch(64, Math.max(1, size));
            for (int i = 0; i < 64; i++) {
                fill(out, i, "z".repeat(size), to.local());
            }
            // One by one: when a combined message is split, the parts take slightly more or less memory.
            for (int i = 0; i < 16 * 64; i++) {
                assertThat(from.send(out, i % 64, 1)).isEqualTo(1);
            }
            List<Integer> lengths = new ArrayList<>();
            DatagramBatch in = to.batch(64, Math.max(1, size));
            int got;
            while ((got = to.receive(in, 0, 64)) > 0) {
                for (int i = 0; i < got; i++) {
                    lengths.add(in.length(i));
                }
            }

            assertThat(to.dropped()).hasValue(16 * 64 - lengths.size());
            assertThat(lengths).containsOnly(size);
            // The kernel accepts one datagram more than fits.
            assertThat(KernelMemory.datagrams(buffer, size)).isBetween(lengths.size() - 2L, (long) lengths.size());
        }
    }

    @Test
    void setsTheBufferUpToTheSystemLimit() throws Exception {
        try (UdpSocket socket = Kind.NATIVE.bind()) {
            long before = socket.receiveBuffer();
            long now = socket.receiveBuffer(before + 8_192);
            assertThat(now).isBetween(before, before + 8_192);
            assertThat(socket.receiveBuffer()).isEqualTo(now);
        }
    }

    @Test
    void socketsShareOnePort() throws Exception {
        assumeThat(UdpSocket.isNative()).isTrue();
        try (UdpSocket one = UdpSocket.bind(new InetSocketAddress("127.0.0.1", 0), true);
                UdpSocket other = UdpSocket.bind(one.local(), true)) {
            assertThat(other.local()).isEqualTo(one.local());
        }
    }

    @Test
    void checksBoundsOfABatch() throws Exception {
        try (UdpSocket socket = Kind.NATIVE.bind()) {
            assertThatThrownBy(() -> socket.batch(0, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> socket.batch(1, 65_508)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> socket.batch(65_536, 65_507)).hasMessageContaining("1 GB");
            DatagramBatch batch = socket.batch(1, 10);
            assertThatThrownBy(() -> batch.length(0, 11)).hasMessageContaining("0 to 10");
            assertThatThrownBy(() -> batch.length(0, -1)).hasMessageContaining("0 to 10");
        }
    }
}
