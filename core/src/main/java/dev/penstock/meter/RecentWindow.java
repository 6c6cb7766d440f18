package dev.penstock.meter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The recent increase of a counter that only grows, in a sliding window with a resolution of a tenth of its length. The caller
 * passes the time.
 *
 * <h2>Design note</h2>
 *
 * <p>Time is divided into slices. The first thread that finds the current slice over records the counter and starts the next
 * slice. The recent increase is the counter minus its value at the start of the window. So an update costs one comparison, and
 * the counter may be one that exists anyway.
 *
 * <p>Thread-safe; an event that races with the end of a slice may be counted on either side.
 */
public final class RecentWindow {
    /** The number of slices in the window. */
    private static final int SLICES = 10;

    private record Mark(long at, long count) {}

    private final LongSupplier total;
    private final long windowNanos;
    private final long createdAt;
    private final Deque<Mark> marks = new ArrayDeque<>(SLICES + 1);
    private long beforeWindow;
    private volatile long sliceEnd;

    /**
     * A window over a counter. Its value at this time does not count as recent.
     *
     * @param window the length of the window; at least 1 us
     * @param now the current reading of the ticker; all later times must be from the same ticker
     * @param total supplies the counter, which must never decrease; must be thread-safe
     */
    public RecentWindow(Duration window, long now, LongSupplier total) {
        this.total = total;
        windowNanos = Math.max(SLICES, window.toNanos());
        createdAt = now;
        sliceEnd = now + windowNanos / SLICES;
        beforeWindow = total.getAsLong();
    }

    /** Starts the next slice if the current one is over. Call it before or after each event. */
    public void advance(long now) {
        if (now - sliceEnd >= 0) {
            startSlice(now);
        }
    }

    /** The number of events in the window that ends at the given time. */
    public long recent(long now) {
        synchronized (marks) {
            advance(now);
            dropBefore(now - windowNanos);
            return total.getAsLong() - beforeWindow;
        }
    }

    /** Events per second in the window that ends at the given time, or since the creation of this window if that is shorter. */
    public double perSecond(long now) {
        long nanos = Math.min(windowNanos, now - createdAt);
        return nanos <= 0 ? 0 : recent(now) * 1e9 / nanos;
    }

    /** Clears the window. */
    public void clear(long now) {
        synchronized (marks) {
            marks.clear();
            beforeWindow = total.getAsLong();
            sliceEnd = now + windowNanos / SLICES;
        }
    }

    private void startSlice(long now) {
        synchronized (marks) {
            if (now - sliceEnd >= 0) {
                marks.addLast(new Mark(sliceEnd, total.getAsLong()));
                dropBefore(now - windowNanos);
                sliceEnd = now + windowNanos / SLICES;
            }
        }
    }

    private void dropBefore(long windowStart) {
        while (!marks.isEmpty() && marks.getFirst().at() - windowStart <= 0) {
            beforeWindow = marks.removeFirst().count();
        }
    }
}
