package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.OptionalLong;

/** A socket that uses {@code DatagramChannel}: portable, one datagram per system call, without a count of kernel drops. */
final class ChannelSocket implements UdpSocket {
    private final DatagramChannel channel;
    private final Selector readable;
    private final Selector writable;
    private final InetSocketAddress local;

    private ChannelSocket(DatagramChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        local = (InetSocketAddress) channel.getLocalAddress();
        readable = Selector.open();
        writable = Selector.open();
        channel.register(readable, SelectionKey.OP_READ);
        channel.register(writable, SelectionKey.OP_WRITE);
    }

    static ChannelSocket bound(InetSocketAddress at, boolean shared) throws IOException {
        if (at.isUnresolved()) {
            throw new IOException("unknown host " + at.getHostString() + "; check the name or the DNS server");
        }
        DatagramChannel channel = at.getAddress() instanceof Inet4Address
                ? DatagramChannel.open(StandardProtocolFamily.INET)
                : DatagramChannel.open();
        try {
            if (shared) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(at);
            return new ChannelSocket(channel);
        } catch (BindException taken) {
            channel.close();
            throw new BindException("udp " + at.getHostString() + ":" + at.getPort() + ": " + taken.getMessage()
                    + "; choose another address or port, or stop the process that listens there");
        } catch (UnsupportedOperationException alone) {
            channel.close();
            throw new IOException("this system cannot share a port among sockets; set shards to 1", alone);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public DatagramBatch batch(int slots, int size) {
        return new ChannelBatch(slots, size);
    }

    @Override
    public int receive(DatagramBatch into, int from, int most) throws IOException {
        ChannelBatch batch = (ChannelBatch) into;
        for (int i = 0; i < most; i++) {
            var room = batch.room(from + i);
            SocketAddress peer = received(room);
            if (peer == null) {
                return i;
            }
            batch.filled(from + i, room.position(), (InetSocketAddress) peer);
        }
        return most;
    }

    private @org.jspecify.annotations.Nullable SocketAddress received(java.nio.ByteBuffer room) throws IOException {
        try {
            return channel.receive(room);
        } catch (PortUnreachableException ofOneSentBefore) {
            return null;
        }
    }

    @Override
    public boolean await(long nanos) throws IOException {
        return waited(readable, nanos);
    }

    private static boolean waited(Selector selector, long nanos) throws IOException {
        if (nanos <= 0) {
            selector.selectNow();
        } else {
            selector.select((nanos + 999_999) / 1_000_000);
        }
        boolean there = !selector.selectedKeys().isEmpty();
        selector.selectedKeys().clear();
        return there;
    }

    @Override
    public void wake() {
        readable.wakeup();
    }

    @Override
    public int send(DatagramBatch out, int from, int count) throws IOException {
        ChannelBatch batch = (ChannelBatch) out;
        for (int i = 0; i < count; i++) {
            int sent = sent(batch, from + i);
            if (sent <= 0) {
                return i > 0 ? i : sent;
            }
        }
        return count;
    }

    /** Returns 1 when sent, 0 when there is no room, and {@link #UNSENDABLE} when it can never be sent. */
    private int sent(ChannelBatch batch, int slot) throws IOException {
        if (!channel.isOpen()) {
            throw new IOException("the socket is closed");
        }
        int length = batch.length(slot);
        try {
            // For an empty datagram, 0 means sent or no room, which cannot be distinguished; treat it as sent.
            return channel.send(batch.toSend(slot), batch.peer(slot)) == length ? 1 : 0;
        } catch (SocketException | IllegalArgumentException | UnsupportedOperationException never) {
            return UNSENDABLE;
        }
    }

    @Override
    public boolean awaitRoom(long nanos) throws IOException {
        return waited(writable, nanos);
    }

    @Override
    public long receiveBuffer() {
        return asked(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public long receiveBuffer(long bytes) {
        return asked(StandardSocketOptions.SO_RCVBUF, bytes);
    }

    @Override
    public long sendBuffer(long bytes) {
        return asked(StandardSocketOptions.SO_SNDBUF, bytes);
    }

    /** Java halves the value that Linux doubled. */
    private long asked(SocketOption<Integer> option) {
        try {
            return 2L * channel.getOption(option);
        } catch (IOException closed) {
            return 0;
        }
    }

    private long asked(SocketOption<Integer> option, long bytes) {
        try {
            channel.setOption(option, (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, bytes / 2)));
        } catch (IOException refused) {
            // A system that refuses a size that is too large keeps the previous one.
        }
        return asked(option);
    }

    @Override
    public OptionalLong dropped() {
        return OptionalLong.empty();
    }

    @Override
    public String kind() {
        return "DatagramChannel";
    }

    @Override
    public void close() {
        try {
            channel.close();
            readable.close();
            writable.close();
        } catch (IOException e) {
            // Nothing is lost by that.
        }
    }
}
