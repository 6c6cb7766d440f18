package dev.penstock.udp.socket;

import dev.penstock.text.Ranges;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Configures the datagrams of a {@link DatagramSender} and their expected answers. Each method changes this builder and returns
 * it. Not safe for many threads.
 */
public final class DatagramSenderBuilder {
    /** The default size of each datagram, in bytes. */
    public static final int DEFAULT_SIZE = 1_024;

    /** The default maximum number of datagrams per system call. */
    public static final int DEFAULT_MOST = 64;

    /** The default size of each socket buffer, in bytes of kernel memory: about 31,000 datagrams of 1,024 bytes. */
    public static final long DEFAULT_BUFFER = 73_400_320;

    /**
     * The minimum length of the bytes to find, so that the number at the front, of which 4 bytes stay 0 for years, never
     * contains them.
     */
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

    /** Sets the size of each datagram in bytes, 16 to 65,507, default 1,024. */
    public DatagramSenderBuilder size(int bytes) {
        size = bytes;
        return this;
    }

    /** Sets the maximum number of datagrams that one system call sends or receives, 1 to 1,024, default 64. */
    public DatagramSenderBuilder most(int atOnce) {
        most = atOnce;
        return this;
    }

    /**
     * Sets the size of both socket buffers, in bytes of kernel memory, default 73,400,320. The system may grant less, up to its
     * limit, unless the process may exceed it.
     */
    public DatagramSenderBuilder buffer(long bytes) {
        buffer = bytes;
        return this;
    }

    /**
     * Sets the bytes that each datagram contains once, and their replacement in the answer. Default: the answer equals the
     * datagram.
     *
     * @param found 5 bytes or more, so that the number does not contain them by chance
     * @param replacement may be empty
     * @throws IllegalArgumentException when {@code found} is shorter than 5 bytes
     */
    public DatagramSenderBuilder replaced(byte[] found, byte[] replacement) {
        if (found.length < LEAST_FOUND) {
            throw new IllegalArgumentException("the bytes to find are at least 5 bytes, not " + found.length
                    + ": a datagram's number could contain shorter ones by chance");
        }
        find = found.clone();
        with = replacement.clone();
        return this;
    }

    /** Sets how closely answers are checked, default {@link DatagramSender.Check#AROUND}. */
    public DatagramSenderBuilder check(DatagramSender.Check closeness) {
        check = closeness;
        return this;
    }

    /** Uses {@code DatagramChannel} even where native system calls are available. */
    DatagramSenderBuilder plainSockets() {
        plain = true;
        return this;
    }

    /**
     * Opens the sender on a free port.
     *
     * @throws IllegalArgumentException when a value is out of range, or the bytes to find do not fit into a datagram
     * @throws IOException when the socket cannot be opened; the message states what to do
     */
    public DatagramSender open() throws IOException {
        int _ = Ranges.within("the size of a datagram", size, DatagramSender.LEAST_BYTES, UdpSocket.MOST_BYTES);
        int _ = Ranges.within("the datagrams of a system call", most, 1, 1_024);
        if (DatagramSender.NUMBER_BYTES + find.length > size || answerSize() > UdpSocket.MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a number of 8 bytes and " + find.length + " bytes to find do not fit into a datagram of " + size
                            + " bytes, or the replacement does not fit into its answer: make the datagram larger, or the"
                            + " bytes shorter");
        }
        if (peer.isUnresolved()) {
            throw new IOException("unknown host " + peer.getHostString() + "; check the name or the DNS server");
        }
        return new DatagramSender(this);
    }

    int answerSize() {
        return size - find.length + with.length;
    }

    /** The offset of the bytes to find, and of their replacement. */
    int middle() {
        return DatagramSender.NUMBER_BYTES + (size - DatagramSender.NUMBER_BYTES - find.length) / 2;
    }

    /** Returns the datagram with a number, to send it by other means. */
    public byte[] datagram(long number) {
        return numbered(text(size, find), number);
    }

    /** Whether an answer received by other means is correct, according to {@link #check}. Safe for many threads. */
    public boolean isRight(byte[] answer) {
        if (check == DatagramSender.Check.NUMBER || answer.length != answerSize()) {
            return check == DatagramSender.Check.NUMBER && answer.length >= DatagramSender.NUMBER_BYTES;
        }
        return Arrays.equals(answer, from(), to(), answer(0), from(), to());
    }

    byte[] answer(long number) {
        return numbered(text(answerSize(), with), number);
    }

    /** The offset from which an answer is checked. */
    int from() {
        return check == DatagramSender.Check.ALL
                ? DatagramSender.NUMBER_BYTES
                : Math.max(DatagramSender.NUMBER_BYTES, middle() - DatagramSender.AROUND);
    }

    /** The offset up to which an answer is checked, exclusive. */
    int to() {
        return check == DatagramSender.Check.ALL
                ? answerSize()
                : Math.min(answerSize(), middle() + with.length + DatagramSender.AROUND);
    }

    private static byte[] numbered(byte[] text, long number) {
        ByteBuffer.wrap(text).putLong(number);
        return text;
    }

    /** Leaves the number blank, and fills the rest around the middle with a byte that the bytes to find do not contain. */
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
        throw new IllegalArgumentException("the bytes to find contain all 256 byte values: make them shorter");
    }
}
