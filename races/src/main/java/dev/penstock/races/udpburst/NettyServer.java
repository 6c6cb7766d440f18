package dev.penstock.races.udpburst;

import dev.penstock.udp.ByteReplacement;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.socket.DatagramPacket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

/**
 * Netty with epoll and one event loop. It receives up to 64 datagrams per recvmmsg and flushes answers together
 * with sendmmsg.
 *
 * <p>It runs on Netty 4.2 with a separate class path, but is compiled against the 4.1 that the broker clients depend
 * on: it uses only API that exists in both. In 4.2, this event loop group is an older name for the recommended one, and
 * the allocator is the default of 4.2.
 */
final class NettyServer implements EchoServer {
    private static final int BATCH = 64;

    private final EpollDatagramChannel channel;
    private final ServerCounter counter = new ServerCounter();

    /**
     * Starts the server.
     *
     * @param buffer the receive buffer in bytes of kernel memory, 0 for the system's default
     */
    NettyServer(long buffer) throws InterruptedException {
        Bootstrap bootstrap = new Bootstrap()
                .group(new EpollEventLoopGroup(1))
                .channel(EpollDatagramChannel.class)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, UdpBurstTraffic.MAX_SIZE)
                .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(BATCH * UdpBurstTraffic.MAX_SIZE))
                .handler(new AnswerHandler(counter));
        if (buffer > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, ServerMain.requestedSize(buffer));
        }
        channel = (EpollDatagramChannel)
                bootstrap.bind(InetAddress.getLoopbackAddress(), 0).sync().channel();
    }

    @Override
    public int port() {
        InetSocketAddress local = channel.localAddress();
        return local.getPort();
    }

    @Override
    public long buffer() {
        return channel.config().getReceiveBufferSize();
    }

    @Override
    public Map<String, Long> counts() {
        return counter.counts();
    }

    private static final class AnswerHandler extends ChannelInboundHandlerAdapter {
        private final ByteReplacement work = UdpBurstTraffic.work();
        private final ServerCounter counter;

        AnswerHandler(ServerCounter counter) {
            this.counter = counter;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the void promise tells the pipeline when a write fails
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            try {
                counter.received();
                ByteBuf request = packet.content();
                ByteBuf answer = context.alloc().directBuffer(UdpBurstTraffic.MAX_SIZE);
                var room = answer.internalNioBuffer(0, UdpBurstTraffic.MAX_SIZE);
                int from = room.position();
                work.answer(request.internalNioBuffer(request.readerIndex(), request.readableBytes()), room);
                answer.writerIndex(room.position() - from);
                context.write(new DatagramPacket(answer, packet.sender()), context.voidPromise());
                counter.answered();
            } finally {
                packet.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }
    }
}
