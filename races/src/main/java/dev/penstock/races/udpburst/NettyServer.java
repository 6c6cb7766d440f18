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
 * Netty by epoll, one event loop: recvmmsg of up to 64, and answers flushed together, which is sendmmsg.
 *
 * <p>It runs on Netty 4.2, on a class path of its own, and is compiled with the 4.1 that the brokers' clients bring: all that
 * is named here is in both. In 4.2 its group of event loops is what 4.2 recommends, by its older name, and its allocator 4.2's own.
 */
final class NettyServer implements EchoServer {
    private static final int AT_ONCE = 64;

    private final EpollDatagramChannel channel;
    private final ServerCounter tally = new ServerCounter();

    /**
     * Starts it.
     *
     * @param buffer bytes of the kernel's memory, 0 for what the system gives
     */
    NettyServer(long buffer) throws InterruptedException {
        Bootstrap bootstrap = new Bootstrap()
                .group(new EpollEventLoopGroup(1))
                .channel(EpollDatagramChannel.class)
                .option(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, UdpBurstTraffic.ROOM)
                .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(AT_ONCE * UdpBurstTraffic.ROOM))
                .handler(new Answering(tally));
        if (buffer > 0) {
            bootstrap.option(ChannelOption.SO_RCVBUF, ServerMain.asked(buffer));
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
        return tally.counts();
    }

    private static final class Answering extends ChannelInboundHandlerAdapter {
        private final ByteReplacement work = UdpBurstTraffic.work();
        private final ServerCounter tally;

        Answering(ServerCounter tally) {
            this.tally = tally;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the void promise tells the pipeline when a write fails
        public void channelRead(ChannelHandlerContext context, Object message) {
            DatagramPacket packet = (DatagramPacket) message;
            try {
                tally.received();
                ByteBuf request = packet.content();
                ByteBuf answer = context.alloc().directBuffer(UdpBurstTraffic.ROOM);
                var room = answer.internalNioBuffer(0, UdpBurstTraffic.ROOM);
                int from = room.position();
                work.answer(request.internalNioBuffer(request.readerIndex(), request.readableBytes()), room);
                answer.writerIndex(room.position() - from);
                context.write(new DatagramPacket(answer, packet.sender()), context.voidPromise());
                tally.answered();
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
