package dev.penstock.udp.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** How the datagrams of a {@link DatagramSender} shall be, and their answers. Each method changes it and gives it back. One thread at a time. */
public final class DatagramSenderBuilder {
    /** The size of each datagram, in bytes, by default. */
    public static final int DEFAULT_SIZE = 1_024;

    /** How many go by one call, by default. */
    public static final int DEFAULT_MOST = 64;

    /** Each buffer, in bytes of the kernel's memory, by default: 31,000 datagrams of 1,024 bytes. */
    public static final long DEFAULT_BUFFER = 73_400_320;

    /** The least that is found and replaced: so the number at the front, of which 4 bytes are 0 for years, never has it in it. */
    private static final int LEAST_FOUND = 5;

    final InetSocketAddress peer;
    int size = DEFAULT_SIZE;
    int most = DEFAULT_MOST;
    long buffer = DEFAULT_BUFFER;
    DatagramSender.Check check = DatagramSender.Check.AROUND;
    byte[] find = {};
    byte[] with = {};
    boolean plain;

    DatagramSenderBuilder(InetSocketAddress peer) {
        this.peer = peer;
    }

    /** The size of each datagram in bytes, 16 to 65,507, default 1,024. */
    public DatagramSenderBuilder size(int bytes) {
        size = bytes;
        return this;
    }

    /** How many datagrams go by one call of the system, and come, 1 to 1,024, default 64. */
    public DatagramSenderBuilder most(int atOnce) {
        most = atOnce;
        return this;
    }

    /** Both buffers, in bytes of the kernel's memory, default 73,400,320; less where the system has a lower bound and allows no force. */
    public DatagramSenderBuilder buffer(long bytes) {
        buffer = bytes;
        return this;
    }

    /**
     * What stands once in each datagram, and what has to be in its place in the answer. Default: the answer is the datagram.
     *
     * @param found 5 bytes or more, so that the number does not have it in it by chance
     * @param replacement may be empty
     */
    public DatagramSenderBuilder replaced(byte[] found, byte[] replacement) {
        if (found.length < LEAST_FOUND) {
            throw new IllegalArgumentException("what is found has 5 bytes at least, not " + found.length
                    + ": a shorter one could be in a datagram's number by chance");
        }
        find = found.clone();
        with = replacement.clone();
        return this;
    }

    /** How closely answers are looked at, default {@link DatagramSender.Check#AROUND}. */
    public DatagramSenderBuilder check(DatagramSender.Check closeness) {
        check = closeness;
        return this;
    }

    /** Uses Java's own sockets also where the system's calls are known. */
    public DatagramSenderBuilder plainSockets() {
        plain = true;
        return this;
    }

    /**
     * Opens it, on any free port.
     *
     * @throws IllegalArgumentException when something of the above is out of its range, or what is found does not fit
     * @throws IOException when there is no socket to be had, with a message that says what to do
     */
    public DatagramSender open() throws IOException {
        if (size < DatagramSender.LEAST_BYTES || size > UdpSocket.MOST_BYTES) {
            throw new IllegalArgumentException("a datagram has 16 to 65,507 bytes here, not " + size);
        }
        if (most < 1 || most > 1_024) {
            throw new IllegalArgumentException("1 to 1,024 datagrams go by one call, not " + most);
        }
        if (DatagramSender.NUMBER_BYTES + find.length > size || answerSize() > UdpSocket.MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a datagram of " + size + " bytes has no room for a number of 8 bytes and " + find.length
                            + " bytes to find, or its answer none for what replaces them: make it larger, or them shorter");
        }
        if (peer.isUnresolved()) {
            throw new IOException("nobody knows the host " + peer.getHostString() + "; mend the address");
        }
        return new DatagramSender(this);
    }

    int answerSize() {
        return size - find.length + with.length;
    }

    /** Where what is found stands, and what replaces it. */
    int middle() {
        return DatagramSender.NUMBER_BYTES + (size - DatagramSender.NUMBER_BYTES - find.length) / 2;
    }

    /** The datagram with a number, for whoever sends it in another way. */
    public byte[] datagram(long number) {
        return numbered(text(size, find), number);
    }

    /** Whether an answer that came in another way is as it has to be, as {@link #check} says. Safe for many threads. */
    public boolean isRight(byte[] answer) {
        if (check == DatagramSender.Check.NUMBER || answer.length != answerSize()) {
            return check == DatagramSender.Check.NUMBER && answer.length >= DatagramSender.NUMBER_BYTES;
        }
        return Arrays.equals(answer, from(), to(), answer(0), from(), to());
    }

    byte[] answer(long number) {
        return numbered(text(answerSize(), with), number);
    }

    /** From where an answer is looked at. */
    int from() {
        return check == DatagramSender.Check.ALL
                ? DatagramSender.NUMBER_BYTES
                : Math.max(DatagramSender.NUMBER_BYTES, middle() - DatagramSender.AROUND);
    }

    /** Up to where an answer is looked at. */
    int to() {
        return check == DatagramSender.Check.ALL
                ? answerSize()
                : Math.min(answerSize(), middle() + with.length + DatagramSender.AROUND);
    }

    private static byte[] numbered(byte[] text, long number) {
        ByteBuffer.wrap(text).putLong(number);
        return text;
    }

    /** The number is left open; around what stands in the middle is a byte that is not in what is found. */
    private byte[] text(int length, byte[] inTheMiddle) {
        byte[] text = new byte[length];
        Arrays.fill(text, DatagramSender.NUMBER_BYTES, length, filler());
        System.arraycopy(inTheMiddle, 0, text, middle(), inTheMiddle.length);
        return text;
    }

    private byte filler() {
        boolean[] taken = new boolean[256];
        for (byte one : find) {
            taken[one & 0xff] = true;
        }
        for (int i = 0; i < 256; i++) {
            int candidate = (i + '.') & 0xff;
            if (!taken[candidate]) {
                return (byte) candidate;
            }
        }
        throw new IllegalArgumentException("what is found has every byte there is in it: make it shorter");
    }
}
