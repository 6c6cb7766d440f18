package dev.penstock.udp;

import dev.penstock.Service;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/** Answers a datagram with its bytes, in which every occurrence of a byte sequence is replaced by another one. Immutable. */
public final class ByteReplacement implements DatagramHandler, Service<Datagram, byte[]> {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    /** The maximum size of a result, since replacing short sequences by long ones can multiply the size. */
    private static final long MOST_BYTES = 64L << 20;

    private final byte[] find;
    private final byte[] with;

    /** The first byte to find, repeated eight times. */
    private final long firstByEight;

    private ByteReplacement(byte[] find, byte[] with) {
        this.find = find;
        this.with = with;
        this.firstByEight = ONES * Byte.toUnsignedLong(find[0]);
    }

    /**
     * Creates a replacement.
     *
     * @param find the bytes to find, 1 or more
     * @param with the bytes to replace them with; may be empty
     * @throws IllegalArgumentException when {@code find} is empty
     */
    public static ByteReplacement bytes(byte[] find, byte[] with) {
        if (find.length == 0) {
            throw new IllegalArgumentException("the text to find is empty; give at least one character");
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
     * Returns a copy with all occurrences replaced, or the same array when there are none.
     *
     * @throws IllegalArgumentException when the result would be larger than 64 MB
     */
    public byte[] in(byte[] bytes) {
        ByteBuffer request = ByteBuffer.wrap(bytes);
        int times = 0;
        // Continue after an occurrence: they do not overlap.
        for (int at = next(request, 0, bytes.length); at >= 0; at = next(request, at + find.length, bytes.length)) {
            times++;
        }
        if (times == 0) {
            return bytes;
        }
        long length = bytes.length + (long) times * (with.length - find.length);
        if (length > MOST_BYTES) {
            throw new IllegalArgumentException("the result would have " + length + " bytes; the maximum is 64 MB");
        }
        byte[] replaced = new byte[(int) length];
        answer(request, ByteBuffer.wrap(replaced));
        return replaced;
    }

    /** The index of the next occurrence; -1 for none. */
    private int next(ByteBuffer in, int from, int end) {
        int last = end - find.length;
        int at = from;
        while (at <= last) {
            // Skip eight bytes at once while the first byte to find is not among them.
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
