package dev.penstock.races.udpburst;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Map;

/** A blocking {@link DatagramChannel} on one thread, with direct buffers to avoid copying. */
final class ChannelServer implements EchoServer {
    private final DatagramChannel channel;
    private final int port;
    private final ServerCounter counter = new ServerCounter();

    /**
     * Starts the server.
     *
     * @param buffer the receive buffer in bytes of kernel memory, 0 for the system's default
     */
    ChannelServer(long buffer) throws IOException {
        channel = DatagramChannel.open(StandardProtocolFamily.INET);
        if (buffer > 0) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, ServerMain.requestedSize(buffer));
        }
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        Thread.ofPlatform().daemon().name("server").start(this::serve);
    }

    private void serve() {
        var work = UdpBurstTraffic.work();
        ByteBuffer request = ByteBuffer.allocateDirect(UdpBurstTraffic.MAX_SIZE);
        ByteBuffer answer = ByteBuffer.allocateDirect(UdpBurstTraffic.MAX_SIZE);
        try {
            while (true) {
                SocketAddress peer = channel.receive(request.clear());
                counter.received();
                work.answer(request.flip(), answer.clear());
                channel.send(answer.flip(), peer);
                counter.answered();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long buffer() {
        try {
            return 2L * channel.getOption(StandardSocketOptions.SO_RCVBUF);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Long> counts() {
        return counter.counts();
    }
}
