package dev.penstock.udp;

import org.jspecify.annotations.Nullable;

/**
 * How many sockets share a port.
 *
 * <p>The kernel gives all datagrams of one sender to one of them, so more of them help many senders only; each costs a
 * thread. Pure.
 *
 * @param value how many
 * @param reason why
 * @param given whether somebody has set it
 */
record SocketCount(int value, String reason, boolean given) {
    static final int MOST = 64;

    /** No more than this by itself: two processors a shard, since handling and the network need some too. */
    private static final int MOST_BY_ITSELF = 16;

    static SocketCount of(@Nullable Integer set, int processors, boolean shareable) {
        if (set != null) {
            return new SocketCount(set, "sockets that share the port, as set", true);
        }
        if (!shareable) {
            return new SocketCount(1, "one socket, as this system cannot share a port among several", false);
        }
        int count = Math.clamp(processors / 2, 1, MOST_BY_ITSELF);
        return new SocketCount(
                count, "sockets that share the port: one for two of " + processors + " processors", false);
    }
}
