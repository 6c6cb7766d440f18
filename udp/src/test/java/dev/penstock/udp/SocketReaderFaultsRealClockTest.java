package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader thread continues whatever is thrown on it. */
@Timeout(120)
class SocketReaderFaultsRealClockTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final Supervisor supervisor = Supervisor.create();

    /** An exception without a readable message, as when a class that it names is missing. */
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new NoClassDefFoundError("com/example/Gone");
        }
    }

    private static final class FailingOnce extends SocketReader {
        private final CountDownLatch later = new CountDownLatch(2);
        private final AtomicInteger reads = new AtomicInteger();

        FailingOnce(UdpSocket socket) {
            super(socket, new BufferSize(64, 100, null), "test", PeerRules.NONE);
        }

        @Override
        boolean readAndHandle() {
            if (reads.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("com/example/Gone");
            }
            later.countDown();
            return false;
        }

        @Override
        long unhandled() {
            return 0;
        }

        @Override
        void abandon() {}
    }

    @Test
    void readerContinuesAfterAnError() throws Exception {
        UdpSocket socket = UdpSocket.bind(ANY, false);
        FailingOnce socketReader = supervisor.whileCurrent(() -> new FailingOnce(socket));
        socketReader.start();
        try {
            assertThat(socketReader.later.await(30, TimeUnit.SECONDS))
                    .as("it reads on")
                    .isTrue();
            assertThat(supervisor.faults()).containsEntry("udp-reader", 1L);
        } finally {
            socketReader.close();
        }
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void unprintableExceptionLosesOnlyItsDatagram() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        UdpSource inline = UdpSource.at(ANY).inline((request, answer) -> {
            if (calls.incrementAndGet() == 1) {
                throw new Unprintable();
            }
            answer.put(request);
            return true;
        });
        answersTheSecond(inline);
        assertThat(calls).hasValue(2);
    }

    private void answersTheSecond(UdpSource source) throws IOException {
        supervisor.<UdpSource, IOException>whileCurrent(() -> {
            source.start();
            return source;
        });
        try (DatagramSocket client = new DatagramSocket()) {
            client.setSoTimeout(30_000);
            for (String text : new String[] {"first", "second"}) {
                byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
                client.send(new DatagramPacket(bytes, bytes.length, source.local()));
            }
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            client.receive(answer);
            assertThat(new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII))
                    .isEqualTo("second");
        } finally {
            source.close();
        }
        assertThat(source.drops()).containsEntry(DropLocation.HANDLER, 1L);
        assertThat(source.counts()).containsEntry("received", 2L).containsEntry("answered", 1L);
    }
}
