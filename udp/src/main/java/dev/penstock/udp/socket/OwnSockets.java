package dev.penstock.udp.socket;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The addresses of the UDP sockets of this process that answer or forward datagrams. A datagram from one of them does not come
 * from a client: the source address is forged, or a target points to a source. Answering it would cause an endless loop.
 *
 * <p>{@link #hasPort} compares a few integers, so it can be called for each datagram. Safe for many threads.
 */
public final class OwnSockets {
    /** The maximum age of the cached list of this machine's addresses. */
    private static final long LIST_NANOS = 10_000_000_000L;

    private static final OwnSockets PROCESS = new OwnSockets();

    private final List<InetSocketAddress> bound = new ArrayList<>();
    private volatile int[] ports = {};
    private volatile List<InetSocketAddress> addresses = List.of();
    private Set<InetAddress> machine = Set.of();
    private long listedAt;
    private boolean listed;

    private OwnSockets() {}

    /** The instance of this process. */
    public static OwnSockets ofProcess() {
        return PROCESS;
    }

    /** Adds the address of a socket; one that was added several times must be removed as often. */
    public synchronized void add(InetSocketAddress local) {
        bound.add(local);
        publish();
    }

    /** Removes an address that was added. */
    public synchronized void remove(InetSocketAddress local) {
        bound.remove(local);
        publish();
    }

    private void publish() {
        addresses = List.copyOf(bound);
        ports = bound.stream().mapToInt(InetSocketAddress::getPort).distinct().toArray();
    }

    /** Whether any of the sockets has this port; a fast check before {@link #has}. */
    public boolean hasPort(int port) {
        for (int own : ports) {
            if (own == port) {
                return true;
            }
        }
        return false;
    }

    /** Whether one of the sockets is bound to this address, or to all addresses of this machine with its port. */
    public boolean has(InetSocketAddress peer) {
        for (InetSocketAddress own : addresses) {
            if (own.getPort() == peer.getPort()
                    && (own.getAddress().equals(peer.getAddress())
                            || (own.getAddress().isAnyLocalAddress() && isOfMachine(peer.getAddress())))) {
                return true;
            }
        }
        return false;
    }

    private boolean isOfMachine(InetAddress address) {
        return address.isLoopbackAddress() || address.isAnyLocalAddress() || list().contains(address);
    }

    private synchronized Set<InetAddress> list() {
        long now = System.nanoTime();
        if (!listed || now - listedAt > LIST_NANOS) {
            listed = true;
            listedAt = now;
            machine = listNow();
        }
        return machine;
    }

    private static Set<InetAddress> listNow() {
        Set<InetAddress> all = new HashSet<>();
        try {
            NetworkInterface.networkInterfaces()
                    .forEach(card -> card.inetAddresses().forEach(all::add));
        } catch (SocketException none) {
            // Only loopback addresses are then recognized as this machine's.
            return Set.of();
        }
        return all;
    }
}
