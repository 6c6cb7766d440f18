package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.flow.Flow;
import dev.penstock.udp.socket.DatagramBatch;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random, empty, oversized and truncated datagrams, and a handler that sometimes fails: nothing breaks or leaks, and
 * every datagram is counted. {@code -Dpenstock.udp.datagrams=10000000} sends ten million.
 */
@Timeout(600)
class DatagramCrowdRealClockTest {
    private static final int MOST = 1_500;
    private static final long DATAGRAMS = Long.getLong("penstock.udp.datagrams", 150_000);

    private final SplittableRandom random = new SplittableRandom(20_26);
    private long sent;
    private long unsendable;

    @ParameterizedTest
    @ValueSource(strings = {"inline", "flow"})
    void countsEveryDatagram(String way) throws Exception {
        UdpSourceBuilder builder = UdpSource.at(new InetSocketAddress("127.0.0.1", 0))
                .maxSize(1_024)
                .ring(1_024);
        try (UdpSource source =
                way.equals("inline") ? builder.inline(DatagramCrowdRealClockTest::inline) : builder.to(flow())) {
            source.start();
            try (UdpSocket sender = UdpSocket.bind(new InetSocketAddress("127.0.0.1", 0), false)) {
                DatagramBatch out = sender.batch(64, MOST);
                DatagramBatch large = sender.batch(1, UdpSocket.MOST_BYTES);
                while (sent < DATAGRAMS) {
                    send(sender, out, 64, source.local(), MOST);
                    if (random.nextInt(50) == 0) {
                        send(sender, large, 1, source.local(), UdpSocket.MOST_BYTES);
                    }
                    if (random.nextInt(4) == 0) {
                        awaitQuiet(source);
                    }
                }
                awaitQuiet(source);
            }
            assertThat(unsendable).isZero();
            long received = count(source, "received");
            assertThat(received + lost(source, DropLocation.SOCKET))
                    .as("%s %s", source.counts(), source.drops())
                    .isEqualTo(sent);
            long lost = lost(source, DropLocation.OWN)
                    + lost(source, DropLocation.PEER)
                    + lost(source, DropLocation.TRUNCATED)
                    + lost(source, DropLocation.RING)
                    + lost(source, DropLocation.HANDLER)
                    + lost(source, DropLocation.SEND);
            assertThat(count(source, "answered") + count(source, "unanswered") + lost)
                    .as("%s %s", source.counts(), source.drops())
                    .isEqualTo(received);
            assertThat(lost(source, DropLocation.TRUNCATED)).isPositive();
            assertThat(lost(source, DropLocation.HANDLER)).isPositive();
            assertThat(count(source, "unanswered")).isPositive();
        }
    }

    private static long count(UdpSource source, String what) {
        return Objects.requireNonNull(source.counts().get(what));
    }

    private static long lost(UdpSource source, DropLocation where) {
        return Objects.requireNonNull(source.drops().get(where));
    }

    private void send(UdpSocket sender, DatagramBatch out, int count, InetSocketAddress to, int most)
            throws IOException {
        for (int slot = 0; slot < count; slot++) {
            int length = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> random.nextInt(32);
                default -> random.nextInt(most + 1);
            };
            for (int at = 0; at + 8 <= length; at += 8) {
                out.bytes(slot).putLong(at, random.nextLong());
            }
            out.length(slot, length);
            out.peer(slot, to);
        }
        int from = 0;
        while (from < count) {
            int taken = sender.send(out, from, count - from);
            if (taken == UdpSocket.UNSENDABLE) {
                unsendable++;
                from++;
            } else if (taken == 0) {
                sender.awaitRoom(Duration.ofMillis(1).toNanos());
            } else {
                from += taken;
            }
        }
        sent += count;
    }

    private void awaitQuiet(UdpSource source) {
        while (count(source, "waiting") > 0
                || count(source, "received") + lost(source, DropLocation.SOCKET) < sent - unsendable) {
            if (Thread.interrupted()) {
                throw new AssertionError("not all came in time: " + source.counts() + " " + source.drops());
            }
            LockSupport.parkNanos(20_000);
        }
    }

    private static boolean inline(java.nio.ByteBuffer request, java.nio.ByteBuffer answer) {
        if (request.remaining() == 0) {
            return false;
        }
        if (request.get(0) == 'x') {
            throw new IllegalStateException("not this one");
        }
        // Doubles the size: a datagram longer than half of a slot does not fit, unless it begins with an even byte.
        int times = (request.get(0) & 1) == 0 ? 1 : 2;
        for (int i = 0; i < times; i++) {
            answer.put(request.duplicate());
        }
        return true;
    }

    private static Flow<Datagram, byte[]> flow() {
        return Flow.named("crowd")
                .deadline(Duration.ofMinutes(10))
                .concurrency(64)
                .to(request -> {
                    byte[] bytes = request.bytes();
                    if (bytes.length == 0) {
                        return Datagram.NO_ANSWER;
                    }
                    if (bytes[0] == 'x') {
                        throw new IllegalStateException("not this one");
                    }
                    return (bytes[0] & 1) == 0 ? bytes : new byte[2 * bytes.length];
                });
    }
}
