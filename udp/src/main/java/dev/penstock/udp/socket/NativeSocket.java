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
import java.util.concurrent.locks.ReentrantLock;

/**
 * A Linux socket that uses recvmmsg and sendmmsg.
 *
 * <p>Receiving and sending have separate memory for error numbers, since they may run on different threads. Socket options
 * share a third, under a lock.
 */
final class NativeSocket implements UdpSocket {
    /** The size of struct pollfd: a descriptor, the requested events, the returned events. */
    private static final int POLLFD = 8;

    /** The number of words of SO_MEMINFO (linux/sock_diag.h); the last one counts dropped datagrams. */
    private static final int MEMINFO_WORDS = 9;

    private static final int MEMINFO_DROPS = 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment receiveErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment sendErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment optionErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment wakeErrno = arena.allocate(Libc.ERRNO);
    private final MemorySegment waits = arena.allocate(2 * POLLFD, 8);
    private final MemorySegment roomWait = arena.allocate(POLLFD, 8);
    private final MemorySegment woken = arena.allocate(8, 8);
    private final MemorySegment value = arena.allocate(64, 8);
    private final MemorySegment valueLength = arena.allocate(JAVA_INT);
    private final ReentrantLock optionLock = new ReentrantLock();
    private final int family;
    private final int fd;
    private final int wakeFd;
    private final InetSocketAddress local;
    private boolean closed;

    /** Whether to send messages of several datagrams; turned off once they fail where single datagrams do not. */
    private boolean segmenting = true;

    private NativeSocket(InetSocketAddress at, int family, boolean shared) throws IOException {
        this.family = family;
        this.fd = checked(
                "a socket", Libc.socket(optionErrno, family, Libc.SOCK_DGRAM | Libc.SOCK_NONBLOCK | Libc.SOCK_CLOEXEC));
        int event = -1;
        try {
            event = checked("an eventfd", Libc.eventfd(optionErrno));
            if (family == Libc.AF_INET6) {
                set(Libc.IPPROTO_IPV6, Libc.IPV6_V6ONLY, 0);
            }
            if (shared) {
                checked("SO_REUSEPORT", set(Libc.SOL_SOCKET, Libc.SO_REUSEPORT, 1));
            }
            bind(at);
            this.local = bound();
        } catch (IOException | RuntimeException | Error e) {
            Libc.close(optionErrno, fd);
            if (event >= 0) {
                Libc.close(optionErrno, event);
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
            int result = Libc.bind(optionErrno, fd, address, SocketAddresses.write(at, family, address));
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

    private InetSocketAddress bound() throws IOException {
        valueLength.set(JAVA_INT, 0, SocketAddresses.MAX_BYTES);
        checked("getsockname", Libc.getsockname(optionErrno, fd, value, valueLength));
        return SocketAddresses.read(value, 0);
    }

    private static int checked(String what, int result) throws IOException {
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
        return new NativeBatch(arena, family, slots, size);
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
        int result = Libc.poll(receiveErrno, waits, 2, millis(nanos));
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
        optionLock.lock();
        try {
            if (!closed) {
                Libc.eventfdWrite(wakeErrno, wakeFd, 1);
            }
        } finally {
            optionLock.unlock();
        }
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
        return isFull(result) ? 0 : UNSENDABLE;
    }

    private static boolean isFull(int result) {
        return result == 0 || result == -Libc.EAGAIN || result == -Libc.EINTR || result == -Libc.ENOBUFS;
    }

    @Override
    public boolean awaitRoom(long nanos) {
        roomWait.set(JAVA_SHORT, 6, (short) 0);
        return Libc.poll(sendErrno, roomWait, 1, millis(nanos)) > 0;
    }

    @Override
    public long receiveBuffer() {
        return get(Libc.SO_RCVBUF);
    }

    @Override
    public long receiveBuffer(long bytes) {
        return buffer(bytes, Libc.SO_RCVBUFFORCE, Libc.SO_RCVBUF);
    }

    @Override
    public long sendBuffer() {
        return get(Libc.SO_SNDBUF);
    }

    @Override
    public long sendBuffer(long bytes) {
        return buffer(bytes, Libc.SO_SNDBUFFORCE, Libc.SO_SNDBUF);
    }

    /** Requests half the size, since the kernel doubles the requested value and returns the doubled one (socket(7)). */
    private long buffer(long bytes, int byForce, int asked) {
        int half = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, bytes / 2));
        if (set(Libc.SOL_SOCKET, byForce, half) < 0) {
            set(Libc.SOL_SOCKET, asked, half);
        }
        return get(asked);
    }

    private int set(int level, int option, int to) {
        optionLock.lock();
        try {
            if (closed) {
                return -Libc.EBADF;
            }
            value.set(JAVA_INT, 0, to);
            return Libc.setsockopt(optionErrno, fd, level, option, value.asSlice(0, 4));
        } finally {
            optionLock.unlock();
        }
    }

    private long get(int option) {
        optionLock.lock();
        try {
            if (closed) {
                return 0;
            }
            valueLength.set(JAVA_INT, 0, 4);
            int result = Libc.getsockopt(optionErrno, fd, Libc.SOL_SOCKET, option, value, valueLength);
            return result < 0 ? 0 : value.get(JAVA_INT, 0);
        } finally {
            optionLock.unlock();
        }
    }

    @Override
    public OptionalLong dropped() {
        optionLock.lock();
        try {
            if (closed) {
                return OptionalLong.empty();
            }
            valueLength.set(JAVA_INT, 0, MEMINFO_WORDS * 4);
            int result = Libc.getsockopt(optionErrno, fd, Libc.SOL_SOCKET, Libc.SO_MEMINFO, value, valueLength);
            return result < 0 || valueLength.get(JAVA_INT, 0) < MEMINFO_WORDS * 4
                    ? OptionalLong.empty()
                    : OptionalLong.of(Integer.toUnsignedLong(value.get(JAVA_INT, MEMINFO_DROPS * 4)));
        } finally {
            optionLock.unlock();
        }
    }

    @Override
    public String kind() {
        return "recvmmsg";
    }

    @Override
    public void close() {
        optionLock.lock();
        try {
            if (!closed) {
                closed = true;
                Libc.close(optionErrno, fd);
                Libc.close(optionErrno, wakeFd);
                arena.close();
            }
        } finally {
            optionLock.unlock();
        }
    }
}
