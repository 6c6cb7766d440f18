package dev.penstock.meter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Tells how much a count that only grows has grown lately: in a window that is exact to a tenth of its length. The time is
 * given by the caller.
 *
 * <h2>Design note</h2>
 *
 * <p>Time is cut into slices; whoever finds the current slice over notes what the count was at its end, and begins the next
 * one. What is recent is then the count less what it was when the window began. So a look costs one comparison, and the same
 * count may be somebody else's who needs it anyway.
 *
 * <p>Safe for many threads; an event that races the end of a slice may count as of either side.
 */
public final class RecentWindow {
    /** How many slices make up the window. */
    private static final int SLICES = 10;

    private record Mark(long at, long count) {}

    private final LongSupplier total;
    private final long windowNanos;
    private final long bornAt;
    private final Deque<Mark> marks = new ArrayDeque<>(SLICES + 1);
    private long beforeWindow;
    private volatile long sliceEnd;

    /**
     * A window over a count; what it has come to by now is not recent.
     *
     * @param window how far back to remember; at least 1 us
     * @param now the current reading of the ticker that all later times come from
     * @param total the count: it never falls, and is read by any thread
     */
    public RecentWindow(Duration window, long now, LongSupplier total) {
        this.total = total;
        windowNanos = Math.max(SLICES, window.toNanos());
        bornAt = now;
        sliceEnd = now + windowNanos / SLICES;
        beforeWindow = total.getAsLong();
    }

    /** Notices that a slice is over. To be called whenever something may have been counted, after or before it. */
    public void look(long now) {
        if (now - sliceEnd >= 0) {
            turn(now);
        }
    }

    /** How many events there were in the window that ends at the given time. */
    public long recent(long now) {
        synchronized (marks) {
            look(now);
            forgetBefore(now - windowNanos);
            return total.getAsLong() - beforeWindow;
        }
    }

    /** How many events there were a second, in the window that ends at the given time, or since the beginning if that is nearer. */
    public double perSecond(long now) {
        long nanos = Math.min(windowNanos, now - bornAt);
        return nanos <= 0 ? 0 : recent(now) * 1e9 / nanos;
    }

    /** Starts the window anew: what was counted so far is no longer recent. */
    public void forget(long now) {
        synchronized (marks) {
            marks.clear();
            beforeWindow = total.getAsLong();
            sliceEnd = now + windowNanos / SLICES;
        }
    }

    private void turn(long now) {
        synchronized (marks) {
            if (now - sliceEnd >= 0) {
                marks.addLast(new Mark(sliceEnd, total.getAsLong()));
                forgetBefore(now - windowNanos);
                sliceEnd = now + windowNanos / SLICES;
            }
        }
    }

    private void forgetBefore(long windowStart) {
        while (!marks.isEmpty() && marks.getFirst().at() - windowStart <= 0) {
            beforeWindow = marks.removeFirst().count();
        }
    }
}
