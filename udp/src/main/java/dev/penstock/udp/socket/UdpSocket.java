package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/**
 * A non-blocking UDP socket that sends and receives many datagrams per call.
 *
 * <p>One thread at a time may receive and wait, and one, the same or another, may send. The other methods are safe for many
 * threads, except {@link #close}: the caller must ensure that no thread uses the socket any more.
 */
public sealed interface UdpSocket extends AutoCloseable permits NativeSocket, ChannelSocket {
    /** The maximum payload of a datagram over IPv4, in bytes (65,535 minus the IP and UDP headers). */
    int MOST_BYTES = 65_507;

    /**
     * Binds a socket to an address. Uses native system calls where available (64-bit Linux), otherwise {@code DatagramChannel}.
     *
     * @param at the address; port 0 selects a free port; the IPv6 wildcard accepts IPv4 too
     * @param shared whether other sockets may bind to the same port; the kernel then distributes senders among them
     * @throws IOException the address cannot be bound; the message states what to do
     */
    static UdpSocket bind(InetSocketAddress at, boolean shared) throws IOException {
        return NativeSocket.isPossible() ? NativeSocket.bound(at, shared) : ChannelSocket.bound(at, shared);
    }

    /**
     * Binds a socket that uses {@code DatagramChannel}, on any system.
     *
     * @param at as for {@link #bind}
     * @param shared as for {@link #bind}
     * @throws IOException as for {@link #bind}
     */
    static UdpSocket bindChannel(InetSocketAddress at, boolean shared) throws IOException {
        return ChannelSocket.bound(at, shared);
    }

    /** Whether {@link #bind} uses native system calls on this system. */
    static boolean isNative() {
        return NativeSocket.isPossible();
    }

    /** The address it is bound to. */
    InetSocketAddress local();

    /**
     * Allocates slots for this socket. A batch is for one thread at a time, and is freed with its socket.
     *
     * @param slots the number of slots, 1 to 65,536
     * @param size the size of each slot, 1 to 65,507 bytes
     * @throws IllegalArgumentException when out of range, or larger than 1 GB in total
     */
    DatagramBatch batch(int slots, int size);

    /**
     * Receives datagrams that have arrived, without waiting.
     *
     * @param into a batch of this socket
     * @param from the first slot to fill
     * @param most the maximum number of slots to fill, 1 or more
     * @return how many were filled; 0 when no datagram has arrived
     * @throws IOException the socket is broken or closed
     */
    int receive(DatagramBatch into, int from, int most) throws IOException;

    /**
     * Waits for a datagram.
     *
     * @param nanos the maximum wait, in nanoseconds
     * @return whether a datagram may have arrived; false on timeout, or after {@link #wake}
     * @throws IOException the socket is broken or closed
     */
    boolean await(long nanos) throws IOException;

    /** Ends the current call of {@link #await}, or the next one. Safe for many threads. */
    void wake();

    /**
     * Sends datagrams, without waiting.
     *
     * @param out a batch of this socket with filled slots
     * @param from the first slot to send
     * @param count the number of slots, 1 or more
     * @return how many were sent; 0 when the send buffer is full; {@link #UNSENDABLE} when the first one can never be sent (no
     *     route to its peer, or too large) and should be skipped
     * @throws IOException the socket is broken or closed
     */
    int send(DatagramBatch out, int from, int count) throws IOException;

    /** The result of {@link #send} for a datagram that cannot be sent. */
    int UNSENDABLE = -1;

    /**
     * Waits until the send buffer has room.
     *
     * @param nanos the maximum wait, in nanoseconds
     * @return false on timeout
     * @throws IOException the socket is broken or closed
     */
    boolean awaitRoom(long nanos) throws IOException;

    /** The size of the receive buffer, in bytes of kernel memory. */
    long receiveBuffer();

    /**
     * Requests a receive buffer size, beyond the system limit if the process may exceed it (CAP_NET_ADMIN).
     *
     * @param bytes kernel memory, see {@link KernelMemory#forDatagrams}
     * @return the size granted, which may be less because of net.core.rmem_max
     */
    long receiveBuffer(long bytes);

    /** Requests a send buffer size, as {@link #receiveBuffer(long)} does; the limit is net.core.wmem_max. */
    long sendBuffer(long bytes);

    /** The number of datagrams the kernel dropped at this socket since it was opened; empty if the system does not report it. */
    OptionalLong dropped();

    /** The system call or class it uses, for display. */
    String kind();

    @Override
    void close();
}
