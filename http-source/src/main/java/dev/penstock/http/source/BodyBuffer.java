package dev.penstock.http.source;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects a body. Memory is allocated as bytes arrive, not by the declared length: a client may declare any length and send
 * nothing. Not thread-safe.
 */
final class BodyBuffer {
    private static final int FIRST = 16 << 10;
    private static final byte[] NOTHING = new byte[0];

    private final int max;
    private byte[] bytes = NOTHING;
    private int length;
    private int reserved;

    /**
     * Creates an empty buffer.
     *
     * @param max how many bytes it may have at most
     */
    BodyBuffer(int max) {
        this.max = max;
    }

    /** Whether so many more bytes are allowed. */
    boolean allows(int more) {
        return more <= max - length;
    }

    /** How much memory has to be reserved for so many more bytes. */
    int missing(int more) {
        return Math.max(0, capacityFor(more) - reserved);
    }

    /** Records that so much more memory is reserved. */
    void reserved(int more) {
        reserved += more;
    }

    private int capacityFor(int more) {
        int needed = length + more;
        return needed <= bytes.length
                ? bytes.length
                : (int) Math.max(needed, Math.min(max, Math.max(FIRST, 2L * bytes.length)));
    }

    /** Appends bytes that are allowed and whose memory is reserved. */
    void append(ByteBuffer more) {
        int count = more.remaining();
        int capacity = capacityFor(count);
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, capacity);
        }
        more.get(bytes, length, count);
        length += count;
    }

    /** The complete body. */
    byte[] bytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }
}
