package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Sends numbered datagrams to one peer, many per system call, and receives their answers: for load tests, and for measuring the
 * capacity of a path. The number is 8 bytes, big-endian, at the start of a datagram and of its answer.
 *
 * <pre>{@code
 * try (DatagramSender sender = DatagramSender.to(peer).replaced(find, with).open()) {
 *     long next = 0;
 *     next += sender.send(next, 64);
 *     sender.receive((number, right) -> ...);
 * }
 * }</pre>
 *
 * <p>Only {@link #await} blocks, and nothing is allocated once it is open. Not safe for many threads, except {@link #dropped}.
 */
public final class DatagramSender implements AutoCloseable {
    /** The minimum size of a datagram, in bytes. */
    public static final int LEAST_BYTES = 16;

    /** The number reported for an answer that is too short to contain one. */
    public static final long NO_NUMBER = -1;

    static final int NUMBER_BYTES = 8;

    /** How many bytes before and after the replacement are checked. */
    static final int AROUND = 16;

    /** How closely answers are checked. */
    public enum Check {
        /** The answer has a number: for peers whose answers differ from the datagram. */
        NUMBER,
        /** The length, and the replacement with 16 bytes before and after; the bytes in the middle if nothing is replaced. */
        AROUND,
        /** Every byte; takes about 30 ns more for 1,024 bytes. */
        ALL
    }

    /** Receives answers. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Called for each answer.
         *
         * @param number the number of the datagram that it answers; {@link #NO_NUMBER} for none. Any host that knows the port
         *     can send to it, so it may be a number that was never sent
         * @param right whether the answer is correct
         */
        void answer(long number, boolean right);
    }

    private final UdpSocket socket;
    private final InetSocketAddress peer;
    private final int most;
    private final DatagramBatch out;
    private final DatagramBatch in;
    private final Check check;
    private final ByteBuffer expected;
    private final int from;
    private final int to;

    DatagramSender(DatagramSenderBuilder built) throws IOException {
        peer = built.peer;
        most = built.most;
        check = built.check;
        expected = ByteBuffer.wrap(built.answer(0));
        from = built.from();
        to = built.to();
        InetSocketAddress any = anyPort(peer);
        socket = built.plain ? UdpSocket.bindChannel(any, false) : UdpSocket.bind(any, false);
        socket.receiveBuffer(built.buffer);
        socket.sendBuffer(built.buffer);
        in = socket.batch(most, Math.max(NUMBER_BYTES, expected.capacity()));
        out = socket.batch(most, built.size);
        fill(built.datagram(0));
    }

    private static InetSocketAddress anyPort(InetSocketAddress peer) throws IOException {
        byte[] wildcard = new byte[peer.getAddress() instanceof Inet4Address ? 4 : 16];
        return new InetSocketAddress(InetAddress.getByAddress(wildcard), 0);
    }

    private void fill(byte[] datagram) {
        for (int slot = 0; slot < most; slot++) {
            out.bytes(slot).put(0, datagram);
            out.length(slot, datagram.length);
            out.peer(slot, peer);
        }
    }

    /**
     * Returns a builder of a sender.
     *
     * @param peer the receiver
     */
    public static DatagramSenderBuilder to(InetSocketAddress peer) {
        return new DatagramSenderBuilder(peer);
    }

    /**
     * Sends datagrams with consecutive numbers, without waiting.
     *
     * @param first the number of the first datagram
     * @param count how many, 0 or more; at most {@link #most()} are sent
     * @return how many were sent, counted from the first; 0 when the send buffer is full
     * @throws IOException nothing can be sent any more; the message states what to do
     */
    public int send(long first, int count) throws IOException {
        int now = Math.min(count, most);
        if (now <= 0) {
            return 0;
        }
        for (int slot = 0; slot < now; slot++) {
            out.bytes(slot).putLong(0, first + slot);
        }
        int taken = socket.send(out, 0, now);
        if (taken == UdpSocket.UNSENDABLE) {
            throw new IOException("cannot send a datagram of " + out.size() + " bytes to " + peer
                    + ": there is no route, a local firewall blocks it, or it is too large; correct the address, or send"
                    + " smaller datagrams");
        }
        return taken;
    }

    /**
     * Receives the answers that have arrived, at most one batch, without waiting.
     *
     * @param taker is called for each
     * @return how many were received; if it is {@link #most()} there may be more
     * @throws IOException nothing can be received any more
     */
    public int receive(Taker taker) throws IOException {
        int received = socket.receive(in, 0, most);
        for (int slot = 0; slot < received; slot++) {
            long number =
                    in.length(slot) < NUMBER_BYTES ? NO_NUMBER : in.bytes(slot).getLong(0);
            taker.answer(number, number != NO_NUMBER && isRight(slot));
        }
        return received;
    }

    private boolean isRight(int slot) {
        if (check == Check.NUMBER) {
            return true;
        }
        if (in.isTruncated(slot) || in.length(slot) != expected.capacity()) {
            return false;
        }
        ByteBuffer answer = in.bytes(slot).limit(to).position(from);
        return expected.limit(to).position(from).mismatch(answer) < 0;
    }

    /**
     * Waits for an answer.
     *
     * @param nanos the maximum wait, in nanoseconds
     * @return whether an answer may have arrived
     * @throws IOException nothing can be received any more
     */
    public boolean await(long nanos) throws IOException {
        return socket.await(nanos);
    }

    /** The number of answers that the kernel dropped at this socket; empty where the system does not report it. */
    public OptionalLong dropped() {
        return socket.dropped();
    }

    /** The maximum number of datagrams per system call. */
    public int most() {
        return most;
    }

    /** The local address. */
    public InetSocketAddress local() {
        return socket.local();
    }

    /** The number of answers that the receive buffer holds before the kernel drops some. */
    public long holds() {
        return KernelMemory.datagrams(socket.receiveBuffer(), expected.capacity());
    }

    @Override
    public void close() {
        socket.close();
    }
}
