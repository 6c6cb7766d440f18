package dev.penstock.races.survive;

import dev.penstock.races.survive.PeerOnPath.BrokenPath;
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
 * A network path for datagrams to a server and back. It loses, duplicates and delays datagrams as the schedule
 * requires.
 *
 * <p>Thread-safe.
 */
final class UdpPath implements BrokenPath {
    private static final int MAX_BYTES = 2_048;
    private static final long MAX_DELAY_NANOS =
            FaultPlan.DEADLINE.plus(Duration.ofMillis(500)).toNanos();

    private static final long BIND_TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long POLL_NANOS = 1_000_000;

    private final SocketAddress server;
    /** The sockets that send to the server, one per client. */
    private final Map<SocketAddress, DatagramSocket> forwarding = new ConcurrentHashMap<>();

    private final int port;
    private volatile DatagramSocket socket;
    private volatile FaultPlan.@Nullable Step fault;

    /** Creates a path to a port of this machine. */
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

    /** Binds the port again. Retries, because a target of another experiment may hold the port for a short time. */
    private DatagramSocket bindAgain() throws IOException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return new DatagramSocket(port, InetAddress.getLoopbackAddress());
            } catch (BindException e) {
                if (System.nanoTime() - begin > BIND_TIMEOUT_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static void receive(DatagramSocket from, Receiver receiver) {
        Thread.ofVirtual().name("udp-path").start(() -> {
            while (!from.isClosed()) {
                try {
                    DatagramPacket packet = new DatagramPacket(new byte[MAX_BYTES], MAX_BYTES);
                    from.receive(packet);
                    receiver.received(packet);
                } catch (IOException e) {
                    // The socket was closed by a fault, or nobody listens at the other end: the datagram is lost.
                }
            }
        });
    }

    private void toServer(DatagramPacket packet) throws IOException {
        if (isActive(Fault.REQUEST_LOST)) {
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
                LockSupport.parkNanos(step.draw() * 1_000L % MAX_DELAY_NANOS);
                try {
                    socket.send(answer);
                } catch (IOException e) {
                    // The datagram is lost.
                }
            });
        } else if (!isActive(Fault.ANSWER_LOST)) {
            socket.send(answer);
            if (isActive(Fault.ANSWER_TWICE)) {
                socket.send(answer);
            }
        }
    }

    private boolean isActive(Fault kind) {
        FaultPlan.Step step = fault;
        return step != null && step.fault() == kind;
    }

    @Override
    public void close() {
        socket.close();
        forwarding.values().forEach(DatagramSocket::close);
    }
}
