package dev.penstock.meter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events, and tells how many there were lately: in a window that is exact to a tenth of its length. The time is given
 * by the caller.
 *
 * <h2>Design note</h2>
 *
 * <p>There is one count that only grows. Time is cut into slices; whoever finds the current slice over notes what the count
 * was at its end, and begins the next one. The recent events are then the count less what it was when the window began. So
 * counting costs one comparison and one {@link LongAdder} increment, and the total comes for free.
 *
 * <p>Safe for many threads; an event that races the end of a slice may count as of either side.
 */
public final class RecentCount {
    /** How many slices make up the window. */
    private static final int SLICES = 10;

    private record Mark(long at, long count) {}

    private final LongAdder total = new LongAdder();
    private final long windowNanos;
    private final long bornAt;
    private final Deque<Mark> marks = new ArrayDeque<>(SLICES + 1);
    private long beforeWindow;
    private volatile long sliceEnd;

    /**
     * An empty count.
     *
     * @param window how far back to remember; at least 1 us
     * @param now the current reading of the ticker that all later times come from
     */
    public RecentCount(Duration window, long now) {
        windowNanos = Math.max(SLICES, window.toNanos());
        bornAt = now;
        sliceEnd = now + windowNanos / SLICES;
    }

    /** Counts one event at the given time. */
    public void add(long now) {
        if (now - sliceEnd >= 0) {
            turn(now);
        }
        total.increment();
    }

    /** How many events there were ever. */
    public long total() {
        return total.sum();
    }

    /** How many events there were in the window that ends at the given time. */
    public long recent(long now) {
        synchronized (marks) {
            if (now - sliceEnd >= 0) {
                turn(now);
            }
            forgetBefore(now - windowNanos);
            return total.sum() - beforeWindow;
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
            beforeWindow = total.sum();
            sliceEnd = now + windowNanos / SLICES;
        }
    }

    private void turn(long now) {
        synchronized (marks) {
            if (now - sliceEnd >= 0) {
                marks.addLast(new Mark(sliceEnd, total.sum()));
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
