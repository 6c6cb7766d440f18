package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/**
 * A Linux socket that uses recvmmsg and sendmmsg.
 *
 * <p>Receiving and sending have separate memory for error numbers, since they may run on different threads. Socket options
 * use a third, in {@link SocketOptions}.
 */
final class NativeSocket implements UdpSocket {
    /** The size of struct pollfd: a descriptor, the requested events, the returned events. */
    private static final int POLLFD = 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment receiveErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment sendErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment wakeErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment waits = arena.allocate(2 * POLLFD, 8);
    private final MemorySegment roomWait = arena.allocate(POLLFD, 8);
    private final MemorySegment woken = arena.allocate(8, 8);
    private final int family;
    private final int fd;
    private final int wakeFd;
    private final SocketOptions options;
    private final InetSocketAddress local;
    private final boolean hasLocals;

    /** Whether to send messages of several datagrams; turned off once they fail where single datagrams do not. */
    private boolean segmenting = true;

    private NativeSocket(InetSocketAddress at, int family, boolean shared) throws IOException {
        this.family = family;
        this.fd = checked(
                "a socket",
                Libc.socket(receiveErrno, family, Libc.SOCK_DGRAM | Libc.SOCK_NONBLOCK | Libc.SOCK_CLOEXEC));
        this.options = new SocketOptions(fd, arena);
        int event = -1;
        try {
            event = checked("an eventfd", Libc.eventfd(receiveErrno));
            if (family == Libc.AF_INET6) {
                options.set(Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY, 0);
            }
            if (shared) {
                checked("SO_REUSEPORT", options.set(Libc.SOL_SOCKET, Libc.SO_REUSEPORT, 1));
            }
            this.hasLocals = at.getAddress().isAnyLocalAddress() && PacketInfo.request(options, family);
            bind(at);
            this.local = options.localAddress();
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(receiveErrno, fd);
            if (event >= 0) {
                Libc.close(receiveErrno, event);
            }
            arena.close();
            throw e;
        }
        this.wakeFd = event;
        waits.set(JAVA_INT, 0, fd);
        waits.set(JAVA_SHORT, 4, Libc.POLLIN);
        waits.set(JAVA_INT, POLLFD, wakeFd);
        waits.set(JAVA_SHORT, POLLFD + 4, Libc.POLLIN);
        roomWait.set(JAVA_INT, 0, fd);
        roomWait.set(JAVA_SHORT, 4, Libc.POLLOUT);
    }

    static boolean isPossible() {
        return Possible.YES;
    }

    /** Whether the native system calls are available; determined once. */
    private static final class Possible {
        static final boolean YES = isLinux() && linked();

        private static boolean isLinux() {
            return "Linux".equals(System.getProperty("os.name"))
                    && Linker.nativeLinker().canonicalLayouts().get("void*") != null
                    && Linker.nativeLinker().canonicalLayouts().get("void*").byteSize() == 8;
        }

        private static boolean linked() {
            try {
                return Libc.ERRNO.byteSize() > 0;
            } catch (LinkageError | RuntimeException notAllowed) {
                // The C library lacks these calls, or the JVM does not allow them: use DatagramChannel.
                return false;
            }
        }
    }

    static NativeSocket bound(InetSocketAddress at, boolean shared) throws IOException {
        if (at.isUnresolved()) {
            throw new IOException("unknown host " + at.getHostString() + "; check the name or the DNS server");
        }
        return new NativeSocket(at, SocketAddresses.family(at), shared);
    }

    private void bind(InetSocketAddress at) throws IOException {
        try (Arena here = Arena.ofConfined()) {
            MemorySegment address = here.allocate(SocketAddresses.MAX_BYTES, 8);
            int result = Libc.bind(receiveErrno, fd, address, SocketAddresses.write(at, family, address));
            if (result == -Libc.EADDRINUSE) {
                throw new BindException("udp port " + at.getPort()
                        + " is in use; choose another port, or stop the process that listens there");
            }
            if (result == -Libc.EADDRNOTAVAIL) {
                throw new BindException(at.getHostString()
                        + " is not an address of this machine; choose another address, or leave it out");
            }
            if (result == -Libc.EACCES) {
                throw new BindException("udp port " + at.getPort()
                        + " is not permitted; choose a port from 1024 up, or grant CAP_NET_BIND_SERVICE");
            }
            checked("udp " + at, result);
        }
    }

    static int checked(String what, int result) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": " + Libc.describe(-result));
        }
        return result;
    }

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public DatagramBatch batch(int slots, int size) {
        return new NativeBatch(arena, family, slots, size, hasLocals);
    }

    @Override
    public int receive(DatagramBatch into, int from, int most) throws IOException {
        NativeBatch batch = (NativeBatch) into;
        batch.clear(from, most);
        int result = Libc.recvmmsg(receiveErrno, fd, batch.headersFrom(from), most, Libc.MSG_DONTWAIT | Libc.MSG_TRUNC);
        if (result > 0) {
            batch.filled(from, result);
            return result;
        }
        if (result == -Libc.EBADF) {
            throw new IOException("the socket is closed");
        }
        // No datagram, or an ICMP error of a datagram sent before, which is ignored.
        return 0;
    }

    @Override
    public boolean await(long nanos) {
        waits.set(JAVA_SHORT, 6, (short) 0);
        waits.set(JAVA_SHORT, POLLFD + 6, (short) 0);
        int result = Libc.poll(waits, 2, millis(nanos));
        if (result > 0 && waits.get(JAVA_SHORT, POLLFD + 6) != 0) {
            Libc.eventfdRead(receiveErrno, wakeFd, woken);
            return false;
        }
        return result > 0;
    }

    /** Rounds up to whole milliseconds. */
    private static int millis(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
    }

    @Override
    public void wake() {
        options.ifOpen(() -> Libc.eventfdWrite(wakeErrno, wakeFd, 1));
    }

    @Override
    public int send(DatagramBatch out, int from, int count) throws IOException {
        NativeBatch batch = (NativeBatch) out;
        if (!segmenting || count == 1) {
            return sendEach(batch, from, count);
        }
        SegmentRuns runs = batch.runs();
        int messages = runs.gather(batch, from, count);
        if (messages == count) {
            return sendEach(batch, from, count);
        }
        int result = Libc.sendmmsg(sendErrno, fd, runs.headers(), messages, Libc.MSG_DONTWAIT);
        if (result > 0) {
            return runs.slots(result);
        }
        if (isFull(result)) {
            return 0;
        }
        // The path, the network card or the kernel does not support segmentation, or the peer is unreachable.
        int sent = sendEach(batch, from, runs.slots(1));
        segmenting = sent <= 0 || runs.slots(1) == 1;
        return sent;
    }

    private int sendEach(NativeBatch batch, int from, int count) throws IOException {
        int result = Libc.sendmmsg(sendErrno, fd, batch.headersFrom(from), count, Libc.MSG_DONTWAIT);
        if (result >= 0) {
            return result;
        }
        if (result == -Libc.EBADF) {
            throw new IOException("the socket is closed");
        }
        if (isFull(result)) {
            return 0;
        }
        if (!batch.hasLocal(from)) {
            return UNSENDABLE;
        }
        // That address cannot send, as one of a broadcast.
        batch.local(from, null);
        return sendEach(batch, from, 1);
    }

    private static boolean isFull(int result) {
        return result == 0 || result == -Libc.EAGAIN || result == -Libc.EINTR || result == -Libc.ENOBUFS;
    }

    @Override
    public boolean awaitRoom(long nanos) {
        roomWait.set(JAVA_SHORT, 6, (short) 0);
        return Libc.poll(roomWait, 1, millis(nanos)) > 0;
    }

    @Override
    public long receiveBuffer() {
        return options.get(Libc.SO_RCVBUF);
    }

    @Override
    public long receiveBuffer(long bytes) {
        return options.buffer(bytes, Libc.SO_RCVBUFFORCE, Libc.SO_RCVBUF);
    }

    @Override
    public long sendBuffer(long bytes) {
        return options.buffer(bytes, Libc.SO_SNDBUFFORCE, Libc.SO_SNDBUF);
    }

    @Override
    public OptionalLong dropped() {
        return options.dropped();
    }

    @Override
    public String kind() {
        return "recvmmsg";
    }

    @Override
    public void close() {
        if (options.close(wakeFd)) {
            arena.close();
        }
    }
}
