package dev.penstock.udp.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Off-heap slots for datagrams, all of one size. Not safe for many threads. Its buffers must not be used after its socket
 * is closed.
 */
public abstract sealed class DatagramBatch permits NativeBatch, ChannelBatch {
    private static final long MOST_BYTES = 1L << 30;

    private final int slots;
    private final int size;

    DatagramBatch(int slots, int size) {
        if (slots < 1 || slots > 65_536 || size < 1 || size > UdpSocket.MOST_BYTES) {
            throw new IllegalArgumentException("1 to 65,536 slots of 1 to 65,507 bytes, not " + slots + " of " + size);
        }
        if ((long) slots * size > MOST_BYTES) {
            throw new IllegalArgumentException("at most 1 GB in total, not " + slots + " slots of " + size + " bytes");
        }
        this.slots = slots;
        this.size = size;
    }

    /** The number of slots. */
    public final int slots() {
        return slots;
    }

    /** The size of a slot, in bytes. */
    public final int size() {
        return size;
    }

    /** The buffer of a slot, always the same object. The caller sets position and limit. */
    public abstract ByteBuffer bytes(int slot);

    /** The length of the datagram in a slot, received or to be sent, in bytes. At most {@link #size()}. */
    public abstract int length(int slot);

    /** Sets the length of the datagram to send, 0 to {@link #size()} bytes. */
    public abstract void length(int slot, int bytes);

    /** Whether the received datagram was larger than the slot; the rest of it is lost. */
    public abstract boolean isTruncated(int slot);

    /** The sender of the datagram in a slot; recently seen senders are cached objects. */
    public abstract InetSocketAddress peer(int slot);

    /** The port of the sender of the datagram in a slot. */
    public abstract int peerPort(int slot);

    /** Sets the receiver of the datagram in a slot. */
    public abstract void peer(int slot, InetSocketAddress to);

    /** The address of this machine that the datagram in a slot was sent to; null if the socket has only one, or unknown. */
    public abstract @Nullable LocalAddress local(int slot);

    /** Sets the address of this machine from which the datagram in a slot is sent; null lets the system choose. */
    public abstract void local(int slot, @Nullable LocalAddress from);

    /**
     * Sets the receiver to the sender of a datagram in another slot, which must not change until this one is sent, and the
     * address of this machine to the one that it was sent to.
     */
    public abstract void peer(int slot, DatagramBatch of, int from);
}
