package dev.penstock.udp.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Slots for datagrams, all of one size, outside the heap. One thread at a time; the buffers it gives out are its own memory,
 * and must not be used once its socket is closed.
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
            throw new IllegalArgumentException("at most 1 GB in all, not " + slots + " slots of " + size + " bytes");
        }
        this.slots = slots;
        this.size = size;
    }

    /** How many slots it has. */
    public final int slots() {
        return slots;
    }

    /** How many bytes a slot has room for. */
    public final int size() {
        return size;
    }

    /** A slot's bytes: always the same buffer, whole; who uses it sets position and limit as he needs them. */
    public abstract ByteBuffer bytes(int slot);

    /** How many bytes the datagram in a slot has: as received, or to be sent. At most {@link #size()}. */
    public abstract int length(int slot);

    /** Sets how many bytes of a slot are to be sent, 0 to {@link #size()}. */
    public abstract void length(int slot, int bytes);

    /** Whether the datagram received had more bytes than the slot; the rest of it is gone. */
    public abstract boolean isTruncated(int slot);

    /** Whom the datagram in a slot is from; of one that was seen lately, the same object. */
    public abstract InetSocketAddress peer(int slot);

    /** The port that the datagram in a slot is from. */
    public abstract int peerPort(int slot);

    /** Whom the datagram in a slot is for. */
    public abstract void peer(int slot, InetSocketAddress to);

    /** The datagram in a slot is for whom another one was from, which must stay as it is until this one was sent. */
    public abstract void peer(int slot, DatagramBatch of, int from);
}
