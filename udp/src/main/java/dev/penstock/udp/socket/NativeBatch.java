package dev.penstock.udp.socket;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Slots in the layout of recvmmsg and sendmmsg: an array of struct mmsghdr, each with one struct iovec, a name (socket address)
 * and its bytes.
 *
 * <p>The kernel overwrites the length of a name, and an answer refers to the name of another slot, so both are set again before
 * each use of a slot.
 */
final class NativeBatch extends DatagramBatch {
    /** struct mmsghdr: a msghdr of 56 bytes, the length received, and 4 bytes of padding. */
    static final int HEADER = 64;

    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    static final int VECTOR = 16;
    static final int VECTORS = 24;
    static final int CONTROL = 32;
    static final int CONTROLS = 40;
    private static final int FLAGS = 48;
    private static final int RECEIVED = 56;

    /** struct iovec: an address and a length. */
    private static final int IOVEC = 16;

    /** The size of a name, rounded up so that names do not share a word. */
    private static final int NAME_BYTES = 32;

    private static final int WORDS = 4;

    private final MemorySegment headers;
    private final MemorySegment[] headersFrom;
    private final MemorySegment vectors;
    private final MemorySegment names;
    private final ByteBuffer[] bytes;
    private final PeerCache peers = new PeerCache();
    private final Arena arena;
    private @Nullable SegmentRuns runs;
    private final @Nullable InetSocketAddress[] written;
    private final int family;
    /** Control data of each slot; null for a socket with one address. */
    private final @Nullable MemorySegment controls;
    /** The address of this machine of each slot, in two words. */
    private final long[] locals;

    /** The receiver of each slot, in the layout of the kernel: four words per name. */
    private final long[] to;

    /**
     * Allocates slots.
     *
     * @param hasLocals whether datagrams come with the address of this machine that they were sent to
     */
    NativeBatch(Arena arena, int family, int slots, int size, boolean hasLocals) {
        super(slots, size);
        this.controls = hasLocals ? arena.allocate((long) PacketInfo.BYTES * slots, 8) : null;
        this.locals = new long[hasLocals ? 2 * slots : 0];
        this.family = family;
        this.arena = arena;
        headers = arena.allocate((long) HEADER * slots, 64);
        vectors = arena.allocate((long) IOVEC * slots, 16);
        names = arena.allocate((long) NAME_BYTES * slots, 32);
        long stride = (size + 63L) & -64L;
        MemorySegment data = arena.allocate(stride * slots, 4096);
        headersFrom = new MemorySegment[slots];
        bytes = new ByteBuffer[slots];
        written = new InetSocketAddress[slots];
        to = new long[WORDS * slots];
        for (int slot = 0; slot < slots; slot++) {
            headersFrom[slot] = headers.asSlice((long) HEADER * slot);
            MemorySegment room = data.asSlice(stride * slot, size);
            bytes[slot] = room.asByteBuffer();
            vectors.set(ADDRESS, (long) IOVEC * slot, room);
            vectors.set(JAVA_LONG, (long) IOVEC * slot + 8, size);
            long header = (long) HEADER * slot;
            headers.set(ADDRESS, header + NAME, name(slot));
            headers.set(ADDRESS, header + VECTOR, vectors.asSlice((long) IOVEC * slot, IOVEC));
            headers.set(JAVA_LONG, header + VECTORS, 1);
        }
    }

    private MemorySegment name(int slot) {
        return names.asSlice((long) NAME_BYTES * slot, SocketAddresses.MAX_BYTES);
    }

    /** Prepares slots for receiving. */
    void clear(int from, int count) {
        for (int slot = from; slot < from + count; slot++) {
            written[slot] = null;
            long header = (long) HEADER * slot;
            headers.set(JAVA_LONG, header + NAME, names.address() + (long) NAME_BYTES * slot);
            headers.set(JAVA_INT, header + NAME_LENGTH, SocketAddresses.MAX_BYTES);
            vectors.set(JAVA_LONG, (long) IOVEC * slot + 8, size());
            if (controls != null) {
                setControl(slot, PacketInfo.BYTES);
            }
        }
    }

    private void setControl(int slot, int length) {
        long header = (long) HEADER * slot;
        headers.set(
                JAVA_LONG, header + CONTROL, length == 0 ? 0 : controls().address() + (long) PacketInfo.BYTES * slot);
        headers.set(JAVA_LONG, header + CONTROLS, length);
    }

    private MemorySegment controls() {
        return Objects.requireNonNull(controls);
    }

    MemorySegment headersFrom(int slot) {
        return headersFrom[slot];
    }

    /** Reads the lengths of slots that the kernel has filled. */
    void filled(int from, int count) {
        for (int slot = from; slot < from + count; slot++) {
            // With MSG_TRUNC the kernel returns the real length of the datagram, which may exceed the slot.
            int length = headers.get(JAVA_INT, (long) HEADER * slot + RECEIVED);
            vectors.set(JAVA_LONG, (long) IOVEC * slot + 8, Math.min(length, size()));
            if (controls != null) {
                long received = headers.get(JAVA_LONG, (long) HEADER * slot + CONTROLS);
                PacketInfo.read(controls, (long) PacketInfo.BYTES * slot, received, locals, 2 * slot);
            }
        }
    }

    @Override
    public ByteBuffer bytes(int slot) {
        return bytes[slot];
    }

    @Override
    public int length(int slot) {
        return (int) vectors.get(JAVA_LONG, (long) IOVEC * slot + 8);
    }

    @Override
    public void length(int slot, int length) {
        if (length < 0 || length > size()) {
            throw new IllegalArgumentException("a slot holds 0 to " + size() + " bytes, not " + length);
        }
        vectors.set(JAVA_LONG, (long) IOVEC * slot + 8, length);
    }

    @Override
    public boolean isTruncated(int slot) {
        return (headers.get(JAVA_INT, (long) HEADER * slot + FLAGS) & Libc.MSG_TRUNC) != 0;
    }

    @Override
    public InetSocketAddress peer(int slot) {
        return peers.at(names, (long) NAME_BYTES * slot);
    }

    @Override
    public int peerPort(int slot) {
        return SocketAddresses.port(names, (long) NAME_BYTES * slot);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // any other object is written again
    public void peer(int slot, InetSocketAddress peer) {
        if (written[slot] == peer) {
            return;
        }
        MemorySegment name = name(slot);
        int length = SocketAddresses.write(peer, family, name);
        headers.set(ADDRESS, (long) HEADER * slot + NAME, name);
        headers.set(JAVA_INT, (long) HEADER * slot + NAME_LENGTH, length);
        written[slot] = peer;
        note(slot, this, slot);
    }

    @Override
    public void peer(int slot, DatagramBatch of, int from) {
        NativeBatch other = (NativeBatch) of;
        written[slot] = null;
        long header = (long) HEADER * slot;
        long theirs = (long) HEADER * from;
        headers.set(JAVA_LONG, header + NAME, other.headers.get(JAVA_LONG, theirs + NAME));
        headers.set(JAVA_INT, header + NAME_LENGTH, other.headers.get(JAVA_INT, theirs + NAME_LENGTH));
        note(slot, other, from);
        if (controls != null) {
            setLocal(slot, other.locals[2 * from], other.locals[2 * from + 1]);
        }
    }

    @Override
    public @Nullable LocalAddress local(int slot) {
        return hasLocal(slot) ? new LocalAddress(locals[2 * slot], locals[2 * slot + 1]) : null;
    }

    @Override
    public void local(int slot, @Nullable LocalAddress from) {
        if (controls != null) {
            setLocal(slot, from == null ? 0 : from.high(), from == null ? 0 : from.low());
        }
    }

    boolean hasLocal(int slot) {
        return controls != null && (locals[2 * slot] != 0 || locals[2 * slot + 1] != 0);
    }

    private void setLocal(int slot, long high, long low) {
        locals[2 * slot] = high;
        locals[2 * slot + 1] = low;
        setControl(slot, writeLocal(slot, controls(), (long) PacketInfo.BYTES * slot));
    }

    /** Writes the address of this machine as control data; returns its length. */
    int writeLocal(int slot, MemorySegment to, long at) {
        return hasLocal(slot) ? PacketInfo.write(family, locals[2 * slot], locals[2 * slot + 1], to, at) : 0;
    }

    /** Its slots as messages of several datagrams (UDP_SEGMENT). */
    SegmentRuns runs() {
        SegmentRuns there = runs;
        if (there == null) {
            there = new SegmentRuns(arena, slots());
            runs = there;
        }
        return there;
    }

    /** The address of a slot's iovec. */
    long vector(int slot) {
        return vectors.address() + (long) IOVEC * slot;
    }

    void copyPeer(int slot, MemorySegment to, long header) {
        to.set(JAVA_LONG, header + NAME, headers.get(JAVA_LONG, (long) HEADER * slot + NAME));
        to.set(JAVA_INT, header + NAME_LENGTH, headers.get(JAVA_INT, (long) HEADER * slot + NAME_LENGTH));
    }

    /** Whether two slots have the same receiver, and are sent from the same address. */
    boolean isForSamePeer(int one, int other) {
        int a = WORDS * one;
        int b = WORDS * other;
        return to[a] == to[b]
                && to[a + 1] == to[b + 1]
                && to[a + 2] == to[b + 2]
                && to[a + 3] == to[b + 3]
                && (controls == null
                        || (locals[2 * one] == locals[2 * other] && locals[2 * one + 1] == locals[2 * other + 1]));
    }

    /** Records the receiver of a slot. */
    private void note(int slot, NativeBatch of, int from) {
        long name = (long) NAME_BYTES * from;
        int at = WORDS * slot;
        to[at] = of.names.get(JAVA_LONG, name);
        if (family == Libc.AF_INET6) {
            to[at + 1] = of.names.get(JAVA_LONG, name + 8);
            to[at + 2] = of.names.get(JAVA_LONG, name + 16);
            to[at + 3] = of.names.get(JAVA_INT, name + 24);
        }
    }

    /**
     * Caches recently seen addresses, so that not every datagram of a sender creates a new object. A direct-mapped table of 256
     * entries. Not safe for many threads.
     */
    private static final class PeerCache {
        private static final int PLACES = 256;

        private final @Nullable InetSocketAddress[] known = new InetSocketAddress[PLACES];

        /** Four words per entry: family, port, and flow or IPv4 address; the two halves of an IPv6 address; its scope. */
        private final long[] words = new long[4 * PLACES];

        InetSocketAddress at(MemorySegment names, long name) {
            long head = names.get(JAVA_LONG, name);
            boolean old = (short) head == Libc.AF_INET;
            long high = old ? 0 : names.get(JAVA_LONG, name + 8);
            long low = old ? 0 : names.get(JAVA_LONG, name + 16);
            long scope = old ? 0 : names.get(JAVA_INT, name + 24);
            int place = place(head ^ high ^ low);
            InetSocketAddress there = known[place];
            int at = 4 * place;
            if (there != null
                    && words[at] == head
                    && words[at + 1] == high
                    && words[at + 2] == low
                    && words[at + 3] == scope) {
                return there;
            }
            InetSocketAddress read = SocketAddresses.read(names, name);
            known[place] = read;
            words[at] = head;
            words[at + 1] = high;
            words[at + 2] = low;
            words[at + 3] = scope;
            return read;
        }

        private static int place(long bits) {
            return (int) ((bits * 0x9E3779B97F4A7C15L) >>> 56);
        }
    }
}
