package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/**
 * Sends numbered datagrams to one peer, many by one call, and takes their answers: for load, and for finding out what a
 * path carries. A number is 8 bytes, the highest first, at the front of a datagram and of its answer.
 *
 * <pre>{@code
 * try (Volley volley = Volley.to(peer).replaced(find, with).open()) {
 *     long next = 0;
 *     next += volley.send(next, 64);
 *     volley.receive((number, right) -> ...);
 * }
 * }</pre>
 *
 * <p>Nothing here waits but {@link #await}, and nothing allocates once it is open. One thread at a time, but for {@link
 * #dropped}.
 */
public final class DatagramSender implements AutoCloseable {
    /** The least bytes that a datagram has. */
    public static final int LEAST_BYTES = 16;

    /** The number of an answer that is too short to have one. */
    public static final long NO_NUMBER = -1;

    static final int NUMBER_BYTES = 8;

    /** How far before and behind what is replaced an answer is looked at. */
    static final int AROUND = 16;

    /** How closely answers are looked at. */
    public enum Check {
        /** It has a number: for peers that answer with something of their own. */
        NUMBER,
        /** Its length, and the bytes that replace what was found with 16 before and 16 behind; in the middle when nothing is found. */
        AROUND,
        /** Every byte: some 30 ns more for 1,024. */
        ALL
    }

    /** Is told answers. */
    @FunctionalInterface
    public interface Taker {
        /**
         * An answer came.
         *
         * @param number of the datagram that it answers; {@link #NO_NUMBER} when it has none. Whoever knows the port can send
         *     there, so it may be one that never was sent
         * @param right whether it is as it has to be
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
     * A volley to a peer.
     *
     * @param peer whom to send to
     */
    public static DatagramSenderBuilder to(InetSocketAddress peer) {
        return new DatagramSenderBuilder(peer);
    }

    /**
     * Sends datagrams with these numbers in them, without waiting.
     *
     * @param first the number of the first
     * @param count how many, 0 or more; more than go by one call are not sent
     * @return how many were taken: the first ones; 0 when there is no room just now
     * @throws IOException nothing can be sent any more, with a message that says what to do
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
            throw new IOException("no datagram of " + out.size() + " bytes can be sent to " + peer
                    + ": there is no way to it, a firewall of this machine forbids it, or it is too large; mend the address, or"
                    + " send smaller ones");
        }
        return taken;
    }

    /**
     * Takes answers that are there, as many as come by one call of the system, without waiting.
     *
     * @param taker is told each
     * @return how many there were; when it is {@link #most()} there may be more
     * @throws IOException nothing can be received any more
     */
    public int receive(Taker taker) throws IOException {
        int came = socket.receive(in, 0, most);
        for (int slot = 0; slot < came; slot++) {
            long number =
                    in.length(slot) < NUMBER_BYTES ? NO_NUMBER : in.bytes(slot).getLong(0);
            taker.answer(number, number != NO_NUMBER && isRight(slot));
        }
        return came;
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
     * @param nanos for how long at most
     * @return whether something may be there
     * @throws IOException nothing can be received any more
     */
    public boolean await(long nanos) throws IOException {
        return socket.await(nanos);
    }

    /** How many answers the kernel dropped at this socket; empty where it does not tell. */
    public OptionalLong dropped() {
        return socket.dropped();
    }

    /** How many go and come by one call at most. */
    public int most() {
        return most;
    }

    /** Where answers come in. */
    public InetSocketAddress local() {
        return socket.local();
    }

    /** How many answers wait at this socket at most before the kernel drops some. */
    public long holds() {
        return KernelMemory.datagrams(socket.receiveBuffer(), expected.capacity());
    }

    @Override
    public void close() {
        socket.close();
    }
}
