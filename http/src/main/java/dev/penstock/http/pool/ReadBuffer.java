package dev.penstock.http.pool;

import java.nio.ByteBuffer;

/**
 * Bytes that a connection has received and its lessee has not read, at most {@value #SIZE}. Further bytes stay in the socket's
 * receive buffer, and TCP flow control slows the peer down. Reused, see {@link BufferPool}. Not thread-safe.
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

    /** The free space, to be filled; call {@link #filled} afterwards. Must not be full. */
    ByteBuffer space() {
        if (from > 0) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        return view.limit(SIZE).position(to);
    }

    void filled(int count) {
        to += count;
    }

    int take(byte[] into, int at, int max) {
        int count = Math.min(max, to - from);
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
