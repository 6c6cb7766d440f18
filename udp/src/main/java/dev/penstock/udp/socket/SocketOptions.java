package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/** The options of a {@link NativeSocket}, and whether it is closed. Safe for many threads. */
final class SocketOptions {
    /** The number of words of SO_MEMINFO (linux/sock_diag.h); the last one counts dropped datagrams. */
    private static final int MEMINFO_WORDS = 9;

    private static final int MEMINFO_DROPS = 8;

    private final int fd;
    private final MemorySegment errno;
    private final MemorySegment value;
    private final MemorySegment valueLength;
    private boolean closed;

    /**
     * The options of a socket.
     *
     * @param fd the descriptor of the socket
     * @param arena owns the memory; closed after {@link #close}
     */
    SocketOptions(int fd, Arena arena) {
        this.fd = fd;
        this.errno = arena.allocate(Libc.ERRNO);
        this.value = arena.allocate(64, 8);
        this.valueLength = arena.allocate(JAVA_INT);
    }

    /** Sets an option; returns a negated error number if that failed. */
    synchronized int set(int level, int option, int to) {
        if (closed) {
            return -Libc.EBADF;
        }
        value.set(JAVA_INT, 0, to);
        return Libc.setsockopt(errno, fd, level, option, value.asSlice(0, 4));
    }

    /** Returns an option of the socket level; 0 if that failed. */
    synchronized long get(int option) {
        if (closed) {
            return 0;
        }
        valueLength.set(JAVA_INT, 0, 4);
        int result = Libc.getsockopt(fd, Libc.SOL_SOCKET, option, value, valueLength);
        return result < 0 ? 0 : value.get(JAVA_INT, 0);
    }

    /**
     * Sets the size of a buffer, and returns the resulting size. Requests half of it, since the kernel doubles the
     * requested value and returns the doubled one (socket(7)).
     *
     * @param force the option that ignores the system's limit, for privileged processes
     * @param option the option that respects it
     */
    long buffer(long bytes, int force, int option) {
        int half = (int) Math.min(Integer.MAX_VALUE / 2, Math.max(1, bytes / 2));
        if (set(Libc.SOL_SOCKET, force, half) < 0) {
            set(Libc.SOL_SOCKET, option, half);
        }
        return get(option);
    }

    /** The number of datagrams that the kernel dropped at the socket; empty if unknown. */
    synchronized OptionalLong dropped() {
        if (closed) {
            return OptionalLong.empty();
        }
        valueLength.set(JAVA_INT, 0, MEMINFO_WORDS * 4);
        int result = Libc.getsockopt(fd, Libc.SOL_SOCKET, Libc.SO_MEMINFO, value, valueLength);
        return result < 0 || valueLength.get(JAVA_INT, 0) < MEMINFO_WORDS * 4
                ? OptionalLong.empty()
                : OptionalLong.of(Integer.toUnsignedLong(value.get(JAVA_INT, MEMINFO_DROPS * 4)));
    }

    /** The address to which the socket is bound. */
    InetSocketAddress localAddress() throws IOException {
        valueLength.set(JAVA_INT, 0, SocketAddresses.MAX_BYTES);
        NativeSocket.checked("getsockname", Libc.getsockname(errno, fd, value, valueLength));
        return SocketAddresses.read(value, 0);
    }

    /** Runs an action on the descriptors, unless they are closed. */
    synchronized void ifOpen(Runnable action) {
        if (!closed) {
            action.run();
        }
    }

    /**
     * Closes the socket and its wake-up descriptor.
     *
     * @return false if they were already closed
     */
    synchronized boolean close(int wakeFd) {
        if (closed) {
            return false;
        }
        closed = true;
        Libc.close(errno, fd);
        Libc.close(errno, wakeFd);
        return true;
    }
}
