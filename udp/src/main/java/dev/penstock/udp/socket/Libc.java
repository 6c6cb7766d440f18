package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library functions that sockets need. Each returns the result of the call, or the negated error number if the call
 * failed, so an expected error costs no exception.
 *
 * <p>The constants are those of Linux, which are the same on all 64-bit processors that Java supports. Safe for many threads if
 * each uses its own memory for error numbers ({@link #ERRNO}).
 */
final class Libc {
    /** The layout of the memory in which a call stores its error number. */
    static final StructLayout ERRNO = Linker.Option.captureStateLayout();

    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int SO_SNDBUF = 7;
    static final int SO_RCVBUF = 8;
    static final int SO_REUSEPORT = 15;
    static final int SO_SNDBUFFORCE = 32;
    static final int SO_RCVBUFFORCE = 33;
    static final int SO_MEMINFO = 55;
    static final int IPPROTO_IP = 0;
    static final int IP_PKTINFO = 8;
    static final int IPPROTO_IPV6 = 41;
    static final int IPV6_RECVPKTINFO = 49;
    static final int IPV6_PKTINFO = 50;
    static final int IPV6_V6ONLY = 26;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final short POLLIN = 1;
    static final short POLLOUT = 4;
    static final int EFD_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x80000;

    static final int EPERM = 1;
    static final int EINTR = 4;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EMSGSIZE = 90;
    static final int EAFNOSUPPORT = 97;
    static final int EADDRINUSE = 98;
    static final int EADDRNOTAVAIL = 99;
    static final int ENOBUFS = 105;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final VarHandle NUMBER = ERRNO.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = call("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle BIND = call("bind", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SETSOCKOPT = call("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            callWithoutErrno("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle GETSOCKNAME = call("getsockname", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle RECVMMSG = call("recvmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle SENDMMSG = call("sendmmsg", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle POLL = callWithoutErrno("poll", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle EVENTFD = call("eventfd", JAVA_INT, JAVA_INT);
    private static final MethodHandle EVENTFD_READ = call("eventfd_read", JAVA_INT, ADDRESS);
    private static final MethodHandle EVENTFD_WRITE = call("eventfd_write", JAVA_INT, JAVA_LONG);
    private static final MethodHandle CLOSE = call("close", JAVA_INT);

    private Libc() {}

    private static MethodHandle call(String name, ValueLayout... arguments) {
        return link(name, arguments, Linker.Option.captureCallState("errno"));
    }

    /**
     * A call that returns -1 for any error. It allocates nothing, however it is compiled: to capture the error number the JDK
     * makes a slice of its memory with each call.
     */
    private static MethodHandle callWithoutErrno(String name, ValueLayout... arguments) {
        return link(name, arguments);
    }

    @SuppressWarnings("restricted") // native calls are the purpose of this class
    private static MethodHandle link(String name, ValueLayout[] arguments, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments), options);
    }

    /** A call that is so rare that an object may be allocated for it. */
    private interface RareCall {
        int make() throws Throwable;
    }

    private static int called(RareCall call) {
        try {
            return call.make();
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int socket(MemorySegment errno, int family, int type) {
        return result(errno, called(() -> (int) SOCKET.invokeExact(errno, family, type, 0)));
    }

    static int bind(MemorySegment errno, int fd, MemorySegment address, int length) {
        return result(errno, called(() -> (int) BIND.invokeExact(errno, fd, address, length)));
    }

    static int setsockopt(MemorySegment errno, int fd, int level, int option, MemorySegment value) {
        return result(errno, called(() ->
                (int) SETSOCKOPT.invokeExact(errno, fd, level, option, value, (int) value.byteSize())));
    }

    /** Returns -1 for any error. */
    static int getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        try {
            return (int) GETSOCKOPT.invokeExact(fd, level, option, value, length);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int getsockname(MemorySegment errno, int fd, MemorySegment address, MemorySegment length) {
        return result(errno, called(() -> (int) GETSOCKNAME.invokeExact(errno, fd, address, length)));
    }

    static int recvmmsg(MemorySegment errno, int fd, MemorySegment headers, int count, int flags) {
        try {
            return result(errno, (int) RECVMMSG.invokeExact(errno, fd, headers, count, flags, MemorySegment.NULL));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int sendmmsg(MemorySegment errno, int fd, MemorySegment headers, int count, int flags) {
        try {
            return result(errno, (int) SENDMMSG.invokeExact(errno, fd, headers, count, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Returns -1 for any error. */
    static int poll(MemorySegment fds, int count, int millis) {
        try {
            return (int) POLL.invokeExact(fds, (long) count, millis);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static int eventfd(MemorySegment errno) {
        return result(errno, called(() -> (int) EVENTFD.invokeExact(errno, 0, EFD_NONBLOCK | EFD_CLOEXEC)));
    }

    static int eventfdRead(MemorySegment errno, int fd, MemorySegment value) {
        return result(errno, called(() -> (int) EVENTFD_READ.invokeExact(errno, fd, value)));
    }

    static int eventfdWrite(MemorySegment errno, int fd, long value) {
        return result(errno, called(() -> (int) EVENTFD_WRITE.invokeExact(errno, fd, value)));
    }

    static int close(MemorySegment errno, int fd) {
        return result(errno, called(() -> (int) CLOSE.invokeExact(errno, fd)));
    }

    private static int result(MemorySegment errno, int returned) {
        return returned >= 0 ? returned : -(int) NUMBER.get(errno, 0L);
    }

    /** A message for an error number, with what to do. */
    static String describe(int errno) {
        return switch (errno) {
            case EPERM, EACCES -> "not permitted (error " + errno + "); grant the process the permission";
            case EAFNOSUPPORT ->
                "this machine does not support IPv6 (error 97); bind to an IPv4 address, such as 0.0.0.0";
            case EADDRINUSE ->
                "the address is in use (error 98); choose another, or stop the process that listens there";
            case ENOBUFS -> "the kernel is out of buffer memory (error 105); configure smaller buffers";
            case 24, 23 -> "too many open files (error " + errno + "); raise ulimit -n";
            default -> "system error " + errno + " (see errno(3))";
        };
    }

    /** The method handles throw only when they are used wrongly. */
    private static RuntimeException impossible(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException wrong ? wrong : new IllegalStateException(e);
    }
}
