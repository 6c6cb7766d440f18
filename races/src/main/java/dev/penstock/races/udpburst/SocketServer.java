package dev.penstock.races.udpburst;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;

/** A {@link DatagramSocket} on one thread: receive, replace, send, as in the original program. */
final class SocketServer implements EchoServer {
    private final DatagramSocket socket;
    private final ServerCounter counter = new ServerCounter();

    /**
     * Starts the server.
     *
     * @param buffer the receive buffer in bytes of kernel memory, 0 for the system's default
     */
    SocketServer(long buffer) throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        if (buffer > 0) {
            socket.setReceiveBufferSize(ServerMain.requestedSize(buffer));
        }
        Thread.ofPlatform().daemon().name("server").start(this::serve);
    }

    private void serve() {
        var work = UdpBurstTraffic.work();
        ByteBuffer request = ByteBuffer.allocate(UdpBurstTraffic.MAX_SIZE);
        ByteBuffer answer = ByteBuffer.allocate(UdpBurstTraffic.MAX_SIZE);
        DatagramPacket packet = new DatagramPacket(request.array(), UdpBurstTraffic.MAX_SIZE);
        try {
            while (true) {
                packet.setData(request.array());
                socket.receive(packet);
                counter.received();
                work.answer(request.clear().limit(packet.getLength()), answer.clear());
                packet.setData(answer.array(), 0, answer.position());
                socket.send(packet);
                counter.answered();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public long buffer() {
        try {
            return 2L * socket.getReceiveBufferSize();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Long> counts() {
        return counter.counts();
    }
}
