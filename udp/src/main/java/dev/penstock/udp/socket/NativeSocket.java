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
 * A socket of Linux's own, by recvmmsg and sendmmsg.
 *
 * <p>Each of the two sides, receiving and sending, has a place of its own for error numbers, since each may be on another
 * thread; what is asked rarely shares a third, under a lock.
 */
final class NativeSocket implements UdpSocket {
    /** struct pollfd: a descriptor, what is waited for, what came. */
    private static final int POLLFD = 8;

    /** Words of SO_MEMINFO (linux/sock_diag.h); the last counts the datagrams dropped. */
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

    /** Whether messages of several datagrams are tried; once they fail where single ones do not, no more. */
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

    /** Whether the system's calls are those that are known here; found out once. */
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
                // A C library without these calls, or a JVM that does not allow them: Java's own sockets do.
                return false;
            }
        }
    }

    static NativeSocket bound(InetSocketAddress at, boolean shared) throws IOException {
        if (at.isUnresolved()) {
            throw new IOException("nobody knows the host " + at.getHostString() + "; mend the address");
        }
        return new NativeSocket(at, SocketAddresses.family(at), shared);
    }

    private void bind(InetSocketAddress at) throws IOException {
        try (Arena here = Arena.ofConfined()) {
            MemorySegment address = here.allocate(SocketAddresses.ROOM, 8);
            int result = Libc.bind(optionErrno, fd, address, SocketAddresses.write(at, family, address));
            if (result == -Libc.EADDRINUSE) {
                throw new BindException(
                        "udp " + at.getPort() + " is taken; choose another port, or end what listens there");
            }
            if (result == -Libc.EADDRNOTAVAIL) {
                throw new BindException(
                        at.getHostString() + " is no address of this machine; choose one that is, or none");
            }
            if (result == -Libc.EACCES) {
                throw new BindException("udp " + at.getPort()
                        + " is not allowed; choose a port from 1024 up, or allow it" + " (CAP_NET_BIND_SERVICE)");
            }
            checked("udp " + at, result);
        }
    }

    private InetSocketAddress bound() throws IOException {
        valueLength.set(JAVA_INT, 0, SocketAddresses.ROOM);
        checked("getsockname", Libc.getsockname(optionErrno, fd, value, valueLength));
        return SocketAddresses.read(value, 0);
    }

    private static int checked(String what, int result) throws IOException {
        if (result < 0) {
            throw new IOException(what + ": " + Errno.words(-result));
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
        // Nothing there, or what the network said of a datagram sent before, which is nobody's any more.
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

    /** Rounded up: a wait of less than a millisecond is one of a millisecond. */
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
        // Not this way: the path, the card or the kernel cannot take messages apart, or the peer cannot be reached at
        // all.
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

    /** The kernel doubles what it is asked for, and counts in what it doubled (socket(7)). */
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
