package dev.penstock.udp.socket;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Slots for a {@code DatagramChannel}. Each is one byte longer than its nominal size, to detect truncation. */
final class ChannelBatch extends DatagramBatch {
    private final ByteBuffer[] rooms;
    private final ByteBuffer[] bytes;
    private final int[] lengths;
    private final boolean[] truncated;
    private final @Nullable InetSocketAddress[] peers;

    ChannelBatch(int slots, int size) {
        super(slots, size);
        rooms = new ByteBuffer[slots];
        bytes = new ByteBuffer[slots];
        lengths = new int[slots];
        truncated = new boolean[slots];
        peers = new InetSocketAddress[slots];
        ByteBuffer all = ByteBuffer.allocateDirect(Math.multiplyExact(slots, size + 1));
        for (int slot = 0; slot < slots; slot++) {
            rooms[slot] = all.slice(slot * (size + 1), size + 1);
            bytes[slot] = all.slice(slot * (size + 1), size);
        }
    }

    /** The buffer for receiving into a slot, one byte longer than its nominal size. */
    ByteBuffer room(int slot) {
        return rooms[slot].clear();
    }

    void filled(int slot, int length, InetSocketAddress from) {
        lengths[slot] = Math.min(length, size());
        truncated[slot] = length > size();
        peers[slot] = from;
    }

    /** The buffer for sending a slot. */
    ByteBuffer toSend(int slot) {
        return rooms[slot].clear().limit(lengths[slot]);
    }

    @Override
    public ByteBuffer bytes(int slot) {
        return bytes[slot];
    }

    @Override
    public int length(int slot) {
        return lengths[slot];
    }

    @Override
    public void length(int slot, int length) {
        if (length < 0 || length > size()) {
            throw new IllegalArgumentException("a slot holds 0 to " + size() + " bytes, not " + length);
        }
        lengths[slot] = length;
    }

    @Override
    public boolean isTruncated(int slot) {
        return truncated[slot];
    }

    @Override
    public InetSocketAddress peer(int slot) {
        InetSocketAddress peer = peers[slot];
        if (peer == null) {
            throw new IllegalStateException("nothing was received into slot " + slot);
        }
        return peer;
    }

    @Override
    public int peerPort(int slot) {
        return peer(slot).getPort();
    }

    @Override
    public void peer(int slot, InetSocketAddress to) {
        peers[slot] = to;
    }

    /** Java's sockets do not tell it. */
    @Override
    public @Nullable LocalAddress local(int slot) {
        return null;
    }

    @Override
    public void local(int slot, @Nullable LocalAddress from) {}

    @Override
    public void peer(int slot, DatagramBatch of, int from) {
        peers[slot] = ((ChannelBatch) of).peers[from];
    }
}
