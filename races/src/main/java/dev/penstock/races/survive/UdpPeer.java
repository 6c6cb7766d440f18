package dev.penstock.races.survive;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A server that answers each datagram with the same bytes and writes down the ids, which end at the first space; and the network
 * before it, which loses, doubles and delays as a schedule says.
 *
 * <p>Safe for many threads.
 */
final class UdpPeer implements BrokenPath {
    private static final int MOST_BYTES = 2_048;
    private static final long LATEST_NANOS =
            Schedule.DEADLINE.plus(Duration.ofMillis(500)).toNanos();

    private static final long BIND_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final Map<String, Integer> received = new ConcurrentHashMap<>();
    private final int port;
    private volatile DatagramSocket socket;
    private volatile Schedule.@Nullable Step fault;

    UdpPeer() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        port = socket.getLocalPort();
        serve(socket);
    }

    int port() {
        return port;
    }

    Map<String, Integer> received() {
        return Map.copyOf(received);
    }

    @Override
    public void begin(Schedule.Step step) {
        fault = step;
        if (step.fault() == Fault.REFUSED) {
            socket.close();
        }
    }

    @Override
    public void heal() throws IOException {
        fault = null;
        if (socket.isClosed()) {
            socket = bindAgain();
            serve(socket);
        }
    }

    /** A target of another experiment may have been given the port; it gives it back soon. */
    private DatagramSocket bindAgain() throws IOException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return new DatagramSocket(port, InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                if (System.nanoTime() - begin > BIND_AGAIN_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    private void serve(DatagramSocket on) {
        Thread.ofVirtual().name("udp-peer").start(() -> {
            while (!on.isClosed()) {
                try {
                    DatagramPacket packet = new DatagramPacket(new byte[MOST_BYTES], MOST_BYTES);
                    on.receive(packet);
                    answer(on, packet);
                } catch (IOException e) {
                    // Closed by a fault, or the answer could not be sent: it is lost.
                }
            }
        });
    }

    private void answer(DatagramSocket on, DatagramPacket packet) throws IOException {
        Schedule.Step step = fault;
        Fault now = step == null ? null : step.fault();
        if (now == Fault.REQUEST_LOST) {
            return;
        }
        received.merge(idOf(packet.getData()), 1, Integer::sum);
        if (now == Fault.ANSWER_LATE && step != null) {
            Thread.ofVirtual().start(() -> {
                LockSupport.parkNanos(step.draw() * 1_000L % LATEST_NANOS);
                try {
                    on.send(packet);
                } catch (IOException e) {
                    // Lost after all.
                }
            });
        } else if (now != Fault.ANSWER_LOST) {
            on.send(packet);
            if (now == Fault.ANSWER_TWICE) {
                on.send(packet);
            }
        }
    }

    /** What stands before the first space. */
    static String idOf(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public void close() {
        socket.close();
    }
}
