package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a socket has received and its lessee has not read. Holds a {@link Buffer} only while there are such bytes.
 * Guarded by the lock of the {@link SocketTransport}, except for the volatile fields.
 */
final class SocketInput {
    private final BufferPool<Buffer> buffers;

    /** Null if there are no unread bytes. */
    private @Nullable Buffer buffer;

    private volatile @Nullable IOException failure;
    private volatile boolean ended;
    private volatile boolean paused;

    SocketInput(BufferPool<Buffer> buffers) {
        this.buffers = buffers;
    }

    /** Whether the input has ended or failed, or is paused because the buffer is full. */
    boolean isSpent() {
        return ended || failure != null || paused;
    }

    /** Whether the buffer is full, so that the loop reads no more until the lessee reads. */
    boolean isPaused() {
        return paused;
    }

    boolean isEnded() {
        return ended;
    }

    boolean isEmpty() {
        return buffer == null || buffer.isEmpty();
    }

    /** Why no more bytes come; null if it has not failed. */
    @Nullable
    IOException failure() {
        return failure;
    }

    void fail(IOException why) {
        failure = why;
    }

    /** Reads from the channel, without blocking; stops reading when the input ends, fails or is full. */
    void read(SocketChannel channel, SelectionKey key) {
        Buffer into = buffer == null ? buffers.take() : buffer;
        buffer = into;
        try {
            if (!into.isFull()) {
                int count = channel.read(into.space());
                if (count < 0) {
                    ended = true;
                } else {
                    into.filled(count);
                }
            }
        } catch (IOException e) {
            failure = e;
        }
        if (ended || failure != null || into.isFull()) {
            // No more reads now; otherwise the selector would report the channel as readable in a busy loop.
            key.interestOpsAnd(~SelectionKey.OP_READ);
            paused = into.isFull();
        }
    }

    /** Takes unread bytes; must not be empty. */
    int take(byte[] into, int at, int max) {
        Buffer from = buffer;
        int count = from == null ? 0 : from.take(into, at, max);
        releaseIfEmpty();
        return count;
    }

    /** Takes unread bytes; must not be empty. */
    int take(ByteBuffer into) {
        Buffer from = buffer;
        int count = from == null ? 0 : from.take(into);
        releaseIfEmpty();
        return count;
    }

    private void releaseIfEmpty() {
        if (isEmpty()) {
            release();
        }
    }

    /** Ends a pause; returns whether it was paused. */
    boolean resume() {
        boolean was = paused;
        paused = false;
        return was;
    }

    /** Returns the buffer, with its unread bytes. */
    void release() {
        if (buffer != null) {
            buffer.clear();
            buffers.give(buffer);
            buffer = null;
        }
    }

    /**
     * Received and unread bytes, at most {@value #SIZE}. Further bytes stay in the socket's receive buffer, and TCP flow
     * control slows the peer down. Reused, see {@link BufferPool}. Not thread-safe.
     */
    static final class Buffer {
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
}
