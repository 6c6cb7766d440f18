package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * The address of this machine that a datagram was sent to, in the control data of a message: struct cmsghdr and struct
 * in_pktinfo (ip(7)) or in6_pktinfo (ipv6(7)). A socket that is bound to all addresses has to send its answer from there:
 * otherwise the kernel chooses the address by the route, and the client does not recognise the answer.
 *
 * <p>An address is two words: that of IPv6, or 0 and that of IPv4; 0 and 0 for none.
 */
final class PacketInfo {
    /** The size of control data, for both kinds. */
    static final int BYTES = 40;

    private static final int HEAD = 16;
    private static final int IPV4_LENGTH = HEAD + 12;
    private static final int IPV6_LENGTH = HEAD + 20;
    /** Of in_pktinfo: the address of this machine, which is another than the receiver's of a broadcast. */
    private static final int SPEC_DST = HEAD + 4;

    private static final byte FIRST_BYTE_OF_MULTICAST = -1;

    private PacketInfo() {}

    /** Asks the kernel for it; returns whether it will tell it. */
    static boolean request(SocketOptions options, int family) {
        int result = family == Libc.AF_INET
                ? options.set(Libc.IPPROTO_IP, Libc.IP_PKTINFO, 1)
                : options.set(Libc.IPPROTO_IPV6, Libc.IPV6_RECVPKTINFO, 1);
        return result >= 0;
    }

    /**
     * Reads received control data.
     *
     * @param length of the control data
     * @param to the two words are written here
     */
    static void read(MemorySegment control, long at, long length, long[] to, int index) {
        to[index] = 0;
        to[index + 1] = 0;
        if (length < IPV4_LENGTH) {
            return;
        }
        int level = control.get(JAVA_INT, at + 8);
        int type = control.get(JAVA_INT, at + 12);
        if (level == Libc.IPPROTO_IP && type == Libc.IP_PKTINFO) {
            to[index + 1] = Integer.toUnsignedLong(control.get(JAVA_INT, at + SPEC_DST));
        } else if (level == Libc.IPPROTO_IPV6 && type == Libc.IPV6_PKTINFO && length >= IPV6_LENGTH) {
            if (control.get(JAVA_BYTE, at + HEAD) != FIRST_BYTE_OF_MULTICAST) {
                to[index] = control.get(JAVA_LONG, at + HEAD);
                to[index + 1] = control.get(JAVA_LONG, at + HEAD + 8);
            }
        }
    }

    /** Writes control data to send; returns its length, 0 for no address. */
    static int write(int family, long high, long low, MemorySegment control, long at) {
        if (high == 0 && low == 0) {
            return 0;
        }
        control.asSlice(at, BYTES).fill((byte) 0);
        if (family == Libc.AF_INET) {
            control.set(JAVA_LONG, at, IPV4_LENGTH);
            control.set(JAVA_INT, at + 8, Libc.IPPROTO_IP);
            control.set(JAVA_INT, at + 12, Libc.IP_PKTINFO);
            control.set(JAVA_INT, at + SPEC_DST, (int) low);
            return HEAD + 16;
        }
        control.set(JAVA_LONG, at, IPV6_LENGTH);
        control.set(JAVA_INT, at + 8, Libc.IPPROTO_IPV6);
        control.set(JAVA_INT, at + 12, Libc.IPV6_PKTINFO);
        control.set(JAVA_LONG, at + HEAD, high);
        control.set(JAVA_LONG, at + HEAD + 8, low);
        return BYTES;
    }
}
