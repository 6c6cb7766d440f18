package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/**
 * A socket for datagrams that carries many of them by one call, and never waits unless it is asked to.
 *
 * <p>One thread at a time may receive and wait, and one may send; the two need not be the same. All else is safe for many
 * threads, but closing is not: who closes has seen to it that nobody uses the socket any more.
 */
public sealed interface UdpSocket extends AutoCloseable permits NativeSocket, ChannelSocket {
    /** The most bytes that a datagram carries over IPv4 (65,535 less the heads of IP and UDP). */
    int MOST_BYTES = 65_507;

    /**
     * A socket bound to an address: one of the system's own where that is known (Linux, 64 bit), otherwise a {@code
     * DatagramChannel}.
     *
     * @param at where; port 0 is any free one; the wildcard of IPv6 takes IPv4 as well
     * @param shared whether other sockets may be bound there too; the kernel then shares senders out among them
     * @throws IOException it cannot be bound, with a message that says what to do
     */
    static UdpSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        return NativeSocket.isPossible() ? NativeSocket.bound(at, shared) : ChannelSocket.bound(at, shared);
    }

    /**
     * A socket of Java's own, whatever the system.
     *
     * @param at as for {@link #bind}
     * @param shared as for {@link #bind}
     * @throws IOException as for {@link #bind}
     */
    static UdpSocket bindChannel(InetSocketAddress at, boolean shared) throws IOException {
        return ChannelSocket.bound(at, shared);
    }

    /** Whether {@link #bind} uses the system's own calls here. */
    static boolean isNative() {
        return NativeSocket.isPossible();
    }

    /** Where it is bound. */
    InetSocketAddress local();

    /**
     * Slots for this socket. A batch belongs to one thread at a time, and lives as long as its socket.
     *
     * @param slots how many, 1 to 65,536
     * @param size bytes of each, 1 to 65,507
     */
    DatagramBatch batch(int slots, int size);

    /**
     * Receives what has arrived, without waiting.
     *
     * @param into a batch of this socket
     * @param from the first slot to fill
     * @param most how many slots to fill at most, 1 or more
     * @return how many were filled; 0 when nothing is there
     * @throws IOException the socket does not work any more
     */
    int receive(DatagramBatch into, int from, int most) throws IOException;

    /**
     * Waits for a datagram.
     *
     * @param nanos for how long at most
     * @return whether something may be there; false when the time is over, or {@link #wake} was called
     */
    boolean await(long nanos) throws IOException;

    /** Ends a wait of {@link #await}, the present one or the next. Safe for many threads. */
    void wake();

    /**
     * Sends, without waiting.
     *
     * @param out a batch of this socket, its slots filled
     * @param from the first slot to send
     * @param count how many, 1 or more
     * @return how many were taken; 0 when the send buffer is full; {@link #UNSENDABLE} when the first can never be sent (no
     *     way to its peer, too large for it), and should be passed over
     * @throws IOException the socket does not work any more
     */
    int send(DatagramBatch out, int from, int count) throws IOException;

    /** What {@link #send} returns for a datagram that cannot be sent. */
    int UNSENDABLE = -1;

    /**
     * Waits until the send buffer has room.
     *
     * @param nanos for how long at most
     * @return whether it has
     */
    boolean awaitRoom(long nanos) throws IOException;

    /** The receive buffer as the kernel counts it: in bytes of its own memory. */
    long receiveBuffer();

    /**
     * Asks for a receive buffer, by force where that is allowed.
     *
     * @param bytes of the kernel's memory, {@link KernelMemory#forDatagrams}
     * @return what it is now; less when the system has a lower bound (net.core.rmem_max)
     */
    long receiveBuffer(long bytes);

    /** The send buffer as the kernel counts it: in bytes of its own memory. */
    long sendBuffer();

    /** Asks for a send buffer, as {@link #receiveBuffer(long)} does (net.core.wmem_max). */
    long sendBuffer(long bytes);

    /** How many datagrams the kernel dropped at this socket since it was opened; empty where it does not tell. */
    OptionalLong dropped();

    /** What it is, in a few words. */
    String kind();

    @Override
    void close();
}
