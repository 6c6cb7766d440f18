package dev.penstock.lab.simulate.tcp;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are under way in one direction: they come out in the order in which they went in, each piece with the time at
 * which it may be passed on. Bounded: who puts in more waits, and so the sender does, as with TCP's own window.
 *
 * <p>Safe for many threads.
 */
final class DelayLine {
    /** How many bytes it holds before the sender has to wait: 1 MB, so a delay of 1 s lets 1 MB/s through. */
    static final int MOST_BYTES = 1 << 20;

    /**
     * A piece of what was sent.
     *
     * @param bytes to be passed on, maybe none
     * @param due the reading at which
     * @param end what comes behind them
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Piece(byte[] bytes, long due, StreamEnd end) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Piece> pieces = new ArrayDeque<>();
    private long lastDue;
    private boolean any;
    private int bytes;
    private boolean closed;

    /** Waits for room and puts it in, to come out no earlier than what is before it; false when the line is closed. */
    boolean put(Piece piece) {
        lock.lock();
        try {
            while (bytes >= MOST_BYTES && !closed) {
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

    /** Waits for the next piece, without waiting for its time; null when the line is closed. */
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
     * Takes nothing more, wakes all who wait, and throws away what is in it.
     *
     * @return how many bytes that was
     */
    int close() {
        lock.lock();
        try {
            closed = true;
            int thrown = bytes;
            bytes = 0;
            pieces.clear();
            changed.signalAll();
            return thrown;
        } finally {
            lock.unlock();
        }
    }
}
