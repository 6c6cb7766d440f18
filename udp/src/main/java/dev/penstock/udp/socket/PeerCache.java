package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Caches recently seen addresses, so that not every datagram of a sender creates a new object. A direct-mapped table of 256
 * entries. Not safe for many threads.
 */
final class PeerCache {
    private static final int PLACES = 256;

    private final @Nullable InetSocketAddress[] known = new InetSocketAddress[PLACES];

    /** Four words per entry: family, port, and flow or IPv4 address; the two halves of an IPv6 address; its scope. */
    private final long[] words = new long[4 * PLACES];

    InetSocketAddress at(MemorySegment names, long name) {
        long head = names.get(JAVA_LONG, name);
        boolean old = (short) head == Libc.AF_INET;
        long high = old ? 0 : names.get(JAVA_LONG, name + 8);
        long low = old ? 0 : names.get(JAVA_LONG, name + 16);
        long scope = old ? 0 : names.get(JAVA_INT, name + 24);
        int place = place(head ^ high ^ low);
        InetSocketAddress there = known[place];
        int at = 4 * place;
        if (there != null
                && words[at] == head
                && words[at + 1] == high
                && words[at + 2] == low
                && words[at + 3] == scope) {
            return there;
        }
        InetSocketAddress read = SocketAddresses.read(names, name);
        known[place] = read;
        words[at] = head;
        words[at + 1] = high;
        words[at + 2] = low;
        words[at + 3] = scope;
        return read;
    }

    private static int place(long bits) {
        return (int) ((bits * 0x9E3779B97F4A7C15L) >>> 56);
    }
}
