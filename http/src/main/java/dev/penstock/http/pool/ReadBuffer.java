package dev.penstock.http.pool;

import java.nio.ByteBuffer;

/**
 * What has come on a connection and was not read yet, at most {@value #SIZE} bytes: more stays with the system, which lets
 * the peer wait. See {@link BufferPool}. For one thread at a time.
 */
final class ReadBuffer {
    static final int SIZE = 16 << 10;

    private final byte[] bytes = new byte[SIZE];
    private final ByteBuffer view = ByteBuffer.wrap(bytes);
    private int from;
    private int to;

    boolean isEmpty() {
        return from == to;
    }

    boolean isFull() {
        return to == SIZE && from == 0;
    }

    /** Where the next bytes go; call {@link #came} when they are there. Not when it is full. */
    ByteBuffer room() {
        if (from > 0) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        return view.limit(SIZE).position(to);
    }

    void came(int count) {
        to += count;
    }

    int take(byte[] into, int at, int most) {
        int count = Math.min(most, to - from);
        System.arraycopy(bytes, from, into, at, count);
        from += count;
        return count;
    }

    int take(ByteBuffer into) {
        int count = Math.min(into.remaining(), to - from);
        into.put(bytes, from, count);
        from += count;
        return count;
    }

    void clear() {
        from = 0;
        to = 0;
    }
}
