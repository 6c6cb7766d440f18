package dev.penstock.udp.socket;

/**
 * Computes the kernel memory that a datagram occupies while it waits in a socket buffer.
 *
 * <p>Design note: the kernel does not count payload bytes but the memory that holds them: struct sk_buff (256 bytes) and the
 * data, rounded up to an allocation size. Measured on Linux 6 over loopback: 1,024 bytes take 2,304, so a buffer of 212,992
 * bytes, the usual default, holds 92 such datagrams.
 */
public final class KernelMemory {
    private static final int HEAD = 256;

    /** The headers of link, IP and UDP before the payload, and struct skb_shared_info after it. */
    private static final int AROUND = 64 + 64 + 320;

    /** The size for small datagrams, which have their own cache in the kernel (SKB_SMALL_HEAD_SIZE). */
    private static final int LEAST = 576;

    private KernelMemory() {}

    /**
     * Returns the kernel memory of a datagram, in bytes.
     *
     * @param size the size of the datagram, 0 to 65,507 bytes
     */
    public static long ofDatagram(int size) {
        int data = size + AROUND;
        if (data <= LEAST) {
            return HEAD + LEAST;
        }
        int room = Integer.highestOneBit(data);
        return HEAD + (room < data ? 2L * room : room);
    }

    /**
     * Returns the number of datagrams of a size that a buffer holds.
     *
     * @param buffer the size of the buffer, in bytes of kernel memory
     * @param size the size of the datagrams, in bytes
     */
    public static long datagrams(long buffer, int size) {
        return buffer / ofDatagram(size);
    }

    /** Returns the size of a buffer that holds {@code count} datagrams of a size, in bytes of kernel memory. */
    public static long forDatagrams(long count, int size) {
        return count * ofDatagram(size);
    }
}
