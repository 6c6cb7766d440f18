package dev.penstock.races.udpburst;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Map;

/** One thread and a {@link DatagramSocket}: receive, replace, send. As the origin had it. */
final class SocketServer implements EchoServer {
    private final DatagramSocket socket;
    private final ServerCounter tally = new ServerCounter();

    /**
     * Starts it.
     *
     * @param buffer bytes of the kernel's memory, 0 for what the system gives
     */
    SocketServer(long buffer) throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        if (buffer > 0) {
            socket.setReceiveBufferSize(ServerMain.asked(buffer));
        }
        Thread.ofPlatform().daemon().name("server").start(this::serve);
    }

    private void serve() {
        var work = UdpBurstTraffic.work();
        ByteBuffer request = ByteBuffer.allocate(UdpBurstTraffic.ROOM);
        ByteBuffer answer = ByteBuffer.allocate(UdpBurstTraffic.ROOM);
        DatagramPacket packet = new DatagramPacket(request.array(), UdpBurstTraffic.ROOM);
        try {
            while (true) {
                packet.setData(request.array());
                socket.receive(packet);
                tally.received();
                work.answer(request.clear().limit(packet.getLength()), answer.clear());
                packet.setData(answer.array(), 0, answer.position());
                socket.send(packet);
                tally.answered();
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
        return tally.counts();
    }
}
