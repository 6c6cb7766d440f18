package dev.penstock.udp;

import org.jspecify.annotations.Nullable;

/**
 * The number of sockets that share a port.
 *
 * <p>The kernel delivers all datagrams of one sender to the same socket, so more sockets help only with many senders; each
 * costs a thread. Pure.
 *
 * @param value the number
 * @param reason the reason for it
 * @param given whether it was configured
 */
record SocketCount(int value, String reason, boolean given) {
    static final int MOST = 64;

    /** The automatic maximum. There are two processors per socket, since handlers and the network need some too. */
    private static final int MAX_DEFAULT = 16;

    static SocketCount of(@Nullable Integer set, int processors, boolean shareable) {
        if (set != null) {
            return new SocketCount(set, "sockets that share the port, as configured", true);
        }
        if (!shareable) {
            return new SocketCount(1, "one socket, since this system cannot share a port among several", false);
        }
        int count = Math.clamp(processors / 2, 1, MAX_DEFAULT);
        return new SocketCount(
                count, "sockets that share the port: one per two of " + processors + " processors", false);
    }
}
