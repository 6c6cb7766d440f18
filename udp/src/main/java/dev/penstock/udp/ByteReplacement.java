package dev.penstock.udp;

import dev.penstock.Service;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/** Finds some bytes in a datagram, puts others in their place wherever they are, and answers with that. Immutable. */
public final class ByteReplacement implements DatagramHandler, Service<Datagram, byte[]> {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    /** What a few bytes that ask for many may become. */
    private static final long MOST_BYTES = 64L << 20;

    private final byte[] find;
    private final byte[] with;

    /** The first byte that is looked for, eight times. */
    private final long firstByEight;

    private ByteReplacement(byte[] find, byte[] with) {
        this.find = find;
        this.with = with;
        this.firstByEight = ONES * Byte.toUnsignedLong(find[0]);
    }

    /**
     * Replaces.
     *
     * @param find what is looked for, 1 byte or more
     * @param with what is put there instead; may be empty
     * @throws IllegalArgumentException when nothing is looked for
     */
    public static ByteReplacement bytes(byte[] find, byte[] with) {
        if (find.length == 0) {
            throw new IllegalArgumentException("say what to find: one character at least");
        }
        return new ByteReplacement(find.clone(), with.clone());
    }

    @Override
    public boolean answer(ByteBuffer request, ByteBuffer answer) {
        int from = request.position();
        int end = request.limit();
        int to = 0;
        int found;
        while ((found = next(request, from, end)) >= 0) {
            checkRoom(answer, to + found - from + with.length);
            answer.put(to, request, from, found - from);
            to += found - from;
            answer.put(to, with);
            to += with.length;
            from = found + find.length;
        }
        checkRoom(answer, to + end - from);
        answer.put(to, request, from, end - from);
        answer.position(to + end - from);
        return true;
    }

    private static void checkRoom(ByteBuffer answer, int length) {
        if (length > answer.capacity()) {
            throw new BufferOverflowException();
        }
    }

    @Override
    public byte[] call(Datagram request) {
        return in(request.bytes());
    }

    /**
     * The same bytes, replaced; the very same array when nothing was found.
     *
     * @throws IllegalArgumentException when that would be more than 64 MB
     */
    public byte[] in(byte[] bytes) {
        ByteBuffer request = ByteBuffer.wrap(bytes);
        int first = next(request, 0, bytes.length);
        if (first < 0) {
            return bytes;
        }
        return find.length == with.length ? inPlace(bytes.clone(), first) : rebuilt(request, first);
    }

    private byte[] inPlace(byte[] bytes, int first) {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        // What was put there is not looked at again.
        for (int found = first; found >= 0; found = next(all, found + find.length, bytes.length)) {
            all.put(found, with);
        }
        return bytes;
    }

    private byte[] rebuilt(ByteBuffer request, int first) {
        int times = 0;
        for (int found = first; found >= 0; found = next(request, found + find.length, request.limit())) {
            times++;
        }
        long length = request.limit() + (long) times * (with.length - find.length);
        if (length > MOST_BYTES) {
            throw new IllegalArgumentException("replaced it would have " + length + " bytes, and 64 MB are the most");
        }
        byte[] replaced = new byte[(int) length];
        answer(request, ByteBuffer.wrap(replaced));
        return replaced;
    }

    /** Where it stands next; -1 when it does not. */
    private int next(ByteBuffer in, int from, int end) {
        int last = end - find.length;
        int at = from;
        while (at <= last) {
            // Eight bytes at once, as long as the first byte looked for is not among them.
            while (at + Long.BYTES <= end && !has(in.getLong(at) ^ firstByEight)) {
                at += Long.BYTES;
            }
            int until = Math.min(last, at + Long.BYTES - 1);
            for (; at <= until; at++) {
                if (in.get(at) == find[0] && isAt(in, at)) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** Whether one of eight bytes is 0 (H. S. Warren, Hacker's Delight, 2nd edition, section 6-1). */
    private static boolean has(long zero) {
        return ((zero - ONES) & ~zero & HIGHS) != 0;
    }

    private boolean isAt(ByteBuffer in, int at) {
        for (int i = 1; i < find.length; i++) {
            if (in.get(at + i) != find[i]) {
                return false;
            }
        }
        return true;
    }
}
