package dev.penstock.races.survive;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A network that datagrams go through, to a server and back: it loses, doubles and delays them as a schedule says.
 *
 * <p>Safe for many threads.
 */
final class UdpPath implements BrokenPath {
    private static final int MOST_BYTES = 2_048;
    private static final long LATEST_NANOS =
            FaultPlan.DEADLINE.plus(Duration.ofMillis(500)).toNanos();

    private static final long BIND_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long LOOK_AGAIN_NANOS = 1_000_000;

    private final SocketAddress server;
    /** To the server, one for each client. */
    private final Map<SocketAddress, DatagramSocket> forwarding = new ConcurrentHashMap<>();

    private final int port;
    private volatile DatagramSocket socket;
    private volatile FaultPlan.@Nullable Step fault;

    /** A path to a port of this machine. */
    UdpPath(int serverPort) throws IOException {
        server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        port = socket.getLocalPort();
        receive(socket, this::toServer);
    }

    private interface Receiver {
        void received(DatagramPacket packet) throws IOException;
    }

    int port() {
        return port;
    }

    @Override
    public void begin(FaultPlan.Step step) {
        fault = step;
        if (step.fault() == Fault.REFUSED) {
            refuse();
        }
    }

    @Override
    public void refuse() {
        socket.close();
    }

    @Override
    public void heal() throws IOException {
        fault = null;
        if (socket.isClosed()) {
            socket = bindAgain();
            receive(socket, this::toServer);
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

    private static void receive(DatagramSocket from, Receiver receiver) {
        Thread.ofVirtual().name("udp-path").start(() -> {
            while (!from.isClosed()) {
                try {
                    DatagramPacket packet = new DatagramPacket(new byte[MOST_BYTES], MOST_BYTES);
                    from.receive(packet);
                    receiver.received(packet);
                } catch (IOException e) {
                    // Closed by a fault, or nobody listens at the other end: the datagram is lost.
                }
            }
        });
    }

    private void toServer(DatagramPacket packet) throws IOException {
        if (isNow(Fault.REQUEST_LOST)) {
            return;
        }
        SocketAddress client = packet.getSocketAddress();
        DatagramSocket known = forwarding.get(client);
        if (known == null) {
            DatagramSocket opened = new DatagramSocket(0, InetAddress.getLoopbackAddress());
            opened.connect(server);
            forwarding.put(client, opened);
            receive(opened, answer -> toClient(answer, client));
            known = opened;
        }
        known.send(new DatagramPacket(packet.getData(), packet.getLength()));
    }

    private void toClient(DatagramPacket answer, SocketAddress client) throws IOException {
        answer.setSocketAddress(client);
        FaultPlan.Step step = fault;
        if (step != null && step.fault() == Fault.ANSWER_LATE) {
            Thread.ofVirtual().start(() -> {
                LockSupport.parkNanos(step.draw() * 1_000L % LATEST_NANOS);
                try {
                    socket.send(answer);
                } catch (IOException e) {
                    // Lost after all.
                }
            });
        } else if (!isNow(Fault.ANSWER_LOST)) {
            socket.send(answer);
            if (isNow(Fault.ANSWER_TWICE)) {
                socket.send(answer);
            }
        }
    }

    private boolean isNow(Fault asked) {
        FaultPlan.Step step = fault;
        return step != null && step.fault() == asked;
    }

    @Override
    public void close() {
        socket.close();
        forwarding.values().forEach(DatagramSocket::close);
    }
}
