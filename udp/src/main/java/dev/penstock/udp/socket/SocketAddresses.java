package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Converts addresses to and from struct sockaddr_in (16 bytes) and sockaddr_in6 (28 bytes). */
final class SocketAddresses {
    /** The size of the larger one. */
    static final int MAX_BYTES = 28;

    private static final int OF_IPV4 = 16;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private SocketAddresses() {}

    /**
     * Writes an address.
     *
     * @param family the family of the socket; for IPv6, an IPv4 address is written as ::ffff:a.b.c.d
     * @return the length of the struct
     * @throws IllegalArgumentException the socket is IPv4 and the address IPv6
     */
    static int write(InetSocketAddress address, int family, MemorySegment to) {
        byte[] bytes = address.getAddress().getAddress();
        to.asSlice(0, MAX_BYTES).fill((byte) 0);
        to.set(JAVA_SHORT, 0, (short) family);
        to.set(PORT, 2, (short) address.getPort());
        if (family == Libc.AF_INET) {
            if (bytes.length != 4) {
                throw new IllegalArgumentException("an IPv4 socket cannot send to the IPv6 address "
                        + address.getAddress().getHostAddress());
            }
            MemorySegment.copy(bytes, 0, to, JAVA_BYTE, 4, 4);
            return OF_IPV4;
        }
        if (bytes.length == 4) {
            to.set(JAVA_SHORT, 18, (short) -1);
            MemorySegment.copy(bytes, 0, to, JAVA_BYTE, 20, 4);
        } else {
            MemorySegment.copy(bytes, 0, to, JAVA_BYTE, 8, 16);
            to.set(JAVA_INT, 24, ((Inet6Address) address.getAddress()).getScopeId());
        }
        return MAX_BYTES;
    }

    static int port(MemorySegment all, long at) {
        return Short.toUnsignedInt(all.get(PORT, at + 2));
    }

    static InetSocketAddress read(MemorySegment all, long at) {
        MemorySegment from = all.asSlice(at, MAX_BYTES);
        int port = port(from, 0);
        try {
            if (from.get(JAVA_SHORT, 0) == Libc.AF_INET) {
                return new InetSocketAddress(InetAddress.getByAddress(bytes(from, 4, 4)), port);
            }
            byte[] long6 = bytes(from, 8, 16);
            int scope = from.get(JAVA_INT, 24);
            InetAddress address =
                    scope == 0 ? InetAddress.getByAddress(long6) : Inet6Address.getByAddress(null, long6, scope);
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException wrongLength) {
            throw new IllegalStateException(wrongLength);
        }
    }

    private static byte[] bytes(MemorySegment from, int at, int count) {
        byte[] read = new byte[count];
        MemorySegment.copy(from, JAVA_BYTE, at, read, 0, count);
        return read;
    }

    /** The family of a socket to bind to an address. */
    static int family(InetSocketAddress at) {
        return at.getAddress() instanceof Inet4Address ? Libc.AF_INET : Libc.AF_INET6;
    }
}
