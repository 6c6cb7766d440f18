package dev.penstock.udp.socket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real sockets over loopback; the peer answers on the test's thread. */
@Timeout(120)
class DatagramSenderRealClockTest {
    private static final byte[] FIND = "pressure".getBytes(US_ASCII);
    private static final byte[] WITH = "flow".getBytes(US_ASCII);
    private static final long PATIENCE = 60_000_000_000L;

    /** An answer as it was reported. */
    private record Told(long number, boolean right) {}

    static Stream<Arguments> socketsAndAddresses() {
        return Stream.of(true, false)
                .flatMap(plain -> Stream.of("127.0.0.1", "::1").map(host -> arguments(plain, host)));
    }

    @ParameterizedTest
    @MethodSource("socketsAndAddresses")
    void acceptsTheEchoOfEachDatagramOnce(boolean plain, String host) throws IOException {
        try (Peer peer = new Peer(host, plain, UnaryOperator.identity());
                DatagramSender datagramSender = opened(to(peer), plain)) {
            assertThat(datagramSender.send(1_000_000_000_000L, 64)).isEqualTo(64);
            assertThat(datagramSender.send(1_000_000_000_064L, 6)).isEqualTo(6);
            List<Told> told = answers(peer, datagramSender, 70);
            assertThat(told).extracting(Told::right).containsOnly(true);
            assertThat(told.stream().map(Told::number).toList())
                    .containsExactlyInAnyOrderElementsOf(Stream.iterate(1_000_000_000_000L, n -> n + 1)
                            .limit(70)
                            .toList());
            assertThat(datagramSender.dropped()).isEqualTo(peer.socket.dropped());
        }
    }

    @ParameterizedTest
    @EnumSource
    void expectsTheReplacementInEachAnswer(DatagramSender.Check check) throws IOException {
        try (Peer peer = new Peer("127.0.0.1", false, DatagramSenderRealClockTest::replaced);
                DatagramSender datagramSender =
                        to(peer).replaced(FIND, WITH).size(1_024).check(check).open()) {
            datagramSender.send(7, 3);
            assertThat(answers(peer, datagramSender, 3))
                    .containsExactlyInAnyOrder(new Told(7, true), new Told(8, true), new Told(9, true));
            assertThat(peer.seen).allSatisfy(datagram -> assertThat(datagram).hasSize(1_024));
            assertThat(occurrences(peer.seen.getFirst())).isEqualTo(1);
        }
    }

    @Test
    void changedAnswerIsWrong() throws IOException {
        assertThat(toldOf(DatagramSender.Check.AROUND, bytes -> bytes)).containsExactly(new Told(0, false));
        assertThat(toldOf(DatagramSender.Check.AROUND, bytes -> changed(replaced(bytes), 9)))
                .containsExactly(new Told(0, true));
        assertThat(toldOf(DatagramSender.Check.ALL, bytes -> changed(replaced(bytes), 9)))
                .containsExactly(new Told(0, false));
        assertThat(toldOf(DatagramSender.Check.ALL, bytes -> Arrays.copyOf(replaced(bytes), 250)))
                .containsExactly(new Told(0, false));
        assertThat(toldOf(DatagramSender.Check.NUMBER, bytes -> Arrays.copyOf(bytes, 8)))
                .containsExactly(new Told(0, true));
        assertThat(toldOf(DatagramSender.Check.NUMBER, bytes -> Arrays.copyOf(bytes, 7)))
                .containsExactly(new Told(DatagramSender.NO_NUMBER, false));
    }

    @ParameterizedTest
    @MethodSource("socketsAndAddresses")
    void longerAnswerIsWrong(boolean plain, String host) throws IOException {
        try (Peer peer = new Peer(host, plain, bytes -> Arrays.copyOf(bytes, bytes.length + 1));
                DatagramSender datagramSender = opened(to(peer), plain)) {
            datagramSender.send(3, 1);
            assertThat(answers(peer, datagramSender, 1)).containsExactly(new Told(3, false));
        }
    }

    @Test
    void sendsTheSmallestAndTheLargestDatagram() throws IOException {
        for (int size : new int[] {DatagramSender.LEAST_BYTES, UdpSocket.MOST_BYTES}) {
            try (Peer peer = new Peer("127.0.0.1", false, UnaryOperator.identity());
                    DatagramSender datagramSender = to(peer).size(size)
                            .check(DatagramSender.Check.ALL)
                            .most(2)
                            .open()) {
                assertThat(datagramSender.send(0, 64)).isEqualTo(2);
                assertThat(answers(peer, datagramSender, 2)).containsExactly(new Told(0, true), new Told(1, true));
            }
        }
    }

    @Test
    void countsDropsOfItsOwnBuffer() throws IOException {
        try (Peer peer = new Peer("127.0.0.1", false, UnaryOperator.identity());
                DatagramSender datagramSender =
                        to(peer).buffer(KernelMemory.forDatagrams(20, 1_024)).open()) {
            assertThat(datagramSender.holds()).isBetween(1L, 63L);
            int sent = 0;
            while (sent < 64) {
                int taken = datagramSender.send(sent, 64 - sent);
                sent += taken;
                peer.answer(taken);
            }
            List<Told> told = new ArrayList<>();
            while (datagramSender.receive((number, right) -> told.add(new Told(number, right))) > 0) {}
            assertThat(told).hasSizeLessThan(64);
            if (datagramSender.dropped().isPresent()) {
                assertThat(told.size() + datagramSender.dropped().getAsLong()).isEqualTo(64);
            }
        }
    }

    @Test
    void rejectsInvalidSettings() {
        DatagramSenderBuilder datagramSender = DatagramSender.to(new InetSocketAddress("127.0.0.1", 9));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> datagramSender.replaced("four".getBytes(US_ASCII), WITH))
                .withMessageContaining("at least 5 bytes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> datagramSender.size(15).open())
                .withMessageContaining("must be 16 to 65507");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        datagramSender.size(16).replaced(new byte[9], WITH).open())
                .withMessageContaining("make the datagram larger");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> datagramSender.size(1_024).most(0).open())
                .withMessageContaining("must be 1 to 1024");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> DatagramSender.to(InetSocketAddress.createUnresolved("nowhere.invalid", 9))
                        .open())
                .withMessageContaining("nowhere.invalid");
    }

    @Test
    void reportsAnUnreachablePeerInOneLine() throws IOException {
        try (DatagramSender datagramSender =
                DatagramSender.to(new InetSocketAddress("255.255.255.255", 9)).open()) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> datagramSender.send(0, 1))
                    .withMessageContaining("255.255.255.255")
                    .withMessageContaining("correct the address");
        }
    }

    private static DatagramSenderBuilder to(Peer peer) {
        return DatagramSender.to(peer.socket.local());
    }

    private static DatagramSender opened(DatagramSenderBuilder datagramSender, boolean plain) throws IOException {
        return plain ? datagramSender.plainSockets().open() : datagramSender.open();
    }

    private static List<Told> toldOf(DatagramSender.Check check, UnaryOperator<byte[]> answer) throws IOException {
        try (Peer peer = new Peer("127.0.0.1", false, answer);
                DatagramSender datagramSender =
                        to(peer).size(256).replaced(FIND, WITH).check(check).open()) {
            datagramSender.send(0, 1);
            return answers(peer, datagramSender, 1);
        }
    }

    private static List<Told> answers(Peer peer, DatagramSender datagramSender, int count) throws IOException {
        peer.answer(count);
        List<Told> told = new ArrayList<>();
        long until = System.nanoTime() + PATIENCE;
        while (told.size() < count && System.nanoTime() - until < 0) {
            if (datagramSender.receive((number, right) -> told.add(new Told(number, right))) == 0) {
                datagramSender.await(PATIENCE);
            }
        }
        return told;
    }

    private static byte[] replaced(byte[] bytes) {
        String text = new String(bytes, ISO_8859_1);
        return text.replace("pressure", "flow").getBytes(ISO_8859_1);
    }

    private static byte[] changed(byte[] bytes, int at) {
        bytes[at]++;
        return bytes;
    }

    private static int occurrences(byte[] bytes) {
        return new String(bytes, US_ASCII).split("pressure", -1).length - 1;
    }

    /** Answers with the request, changed in some way. */
    private static final class Peer implements AutoCloseable {
        final List<byte[]> seen = new ArrayList<>();
        final UdpSocket socket;
        private final DatagramBatch batch;
        private final UnaryOperator<byte[]> answer;

        Peer(String host, boolean plain, UnaryOperator<byte[]> answer) throws IOException {
            InetSocketAddress at = new InetSocketAddress(InetAddress.getByName(host), 0);
            socket = plain ? UdpSocket.bindChannel(at, false) : UdpSocket.bind(at, false);
            socket.receiveBuffer(DatagramSenderBuilder.DEFAULT_BUFFER);
            batch = socket.batch(1, UdpSocket.MOST_BYTES);
            this.answer = answer;
        }

        void answer(int count) throws IOException {
            long until = System.nanoTime() + PATIENCE;
            for (int i = 0; i < count; ) {
                assertThat(System.nanoTime() - until).isNegative();
                if (socket.receive(batch, 0, 1) == 0) {
                    socket.await(PATIENCE);
                } else {
                    i++;
                    answerOne();
                }
            }
        }

        private void answerOne() throws IOException {
            byte[] bytes = new byte[batch.length(0)];
            batch.bytes(0).get(0, bytes);
            seen.add(bytes);
            byte[] changed = answer.apply(bytes.clone());
            int length = Math.min(changed.length, batch.size());
            ByteBuffer slot = batch.bytes(0);
            slot.put(0, changed, 0, length);
            batch.length(0, length);
            batch.peer(0, batch.peer(0));
            assertThat(socket.send(batch, 0, 1)).isEqualTo(1);
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
