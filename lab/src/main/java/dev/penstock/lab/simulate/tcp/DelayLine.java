package dev.penstock.lab.simulate.tcp;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in transit in one direction: a FIFO queue of pieces, each with its delivery time. Bounded: a full queue blocks
 * the sender, as TCP's own window does.
 *
 * <p>Thread-safe.
 */
final class DelayLine {
    /** The capacity in bytes: 1 MB, so a delay of 1 s allows 1 MB/s. */
    static final int MAX_BYTES = 1 << 20;

    /**
     * A piece of the stream.
     *
     * @param bytes the bytes, possibly none
     * @param due the delivery time
     * @param end what follows the bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Piece(byte[] bytes, long due, StreamEnd end) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private long lastDue;
    private boolean any;
    private int bytes;
    private boolean closed;

    /** Waits for capacity and appends a piece, to be delivered no earlier than those before it; false when closed. */
    boolean put(Piece piece) {
        lock.lock();
        try {
            while (bytes >= MAX_BYTES && !closed) {
                changed.awaitUninterruptibly();
            }
            if (!closed) {
                lastDue = any && lastDue - piece.due() > 0 ? lastDue : piece.due();
                any = true;
                bytes += piece.bytes().length;
                pieces.add(new Piece(piece.bytes(), lastDue, piece.end()));
                changed.signalAll();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next piece, but not for its delivery time; null when closed. */
    @Nullable
    Piece take() {
        lock.lock();
        try {
            while (pieces.isEmpty() && !closed) {
                changed.awaitUninterruptibly();
            }
            Piece first = pieces.poll();
            if (first != null) {
                bytes -= first.bytes().length;
                changed.signalAll();
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes the queue, wakes all waiting threads, and discards the content.
     *
     * @return the number of discarded bytes
     */
    int close() {
        lock.lock();
        try {
            closed = true;
            int discarded = bytes;
            bytes = 0;
            pieces.clear();
            changed.signalAll();
            return discarded;
        } finally {
            lock.unlock();
        }
    }
}
