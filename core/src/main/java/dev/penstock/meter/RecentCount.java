package dev.penstock.meter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events and tells how many there were lately: a window of equal slices, of which the oldest fall off. The time is
 * given by the caller; the count is exact to one slice.
 *
 * <p>Adding is one comparison and one {@link LongAdder} increment but for the first event of a slice. Safe for many
 * threads.
 */
public final class RecentCount {
    /** How many slices make up the window. */
    public static final int SLICES = 10;

    private final long sliceNanos;
    private final Deque<Slice> slices = new ArrayDeque<>(SLICES + 1);
    private volatile Slice newest;

    /**
     * An empty count.
     *
     * @param window how far back to remember; at least 1 us
     * @param now the current reading of the ticker that all later times come from
     */
    public RecentCount(Duration window, long now) {
        sliceNanos = Math.max(1, window.toNanos() / SLICES);
        newest = new Slice(now + sliceNanos);
        slices.add(newest);
    }

    /** Counts one event at the given time. One that is late by less than a slice counts as of the newest slice. */
    public void add(long now) {
        Slice slice = newest;
        if (now - slice.end >= 0) {
            slice = turnTo(now);
        }
        slice.count.increment();
    }

    /** How many events there were in the window that ends at the given time. */
    public long sum(long now) {
        synchronized (slices) {
            long oldest = now - SLICES * sliceNanos;
            return slices.stream()
                    .filter(slice -> slice.end - oldest > 0)
                    .mapToLong(slice -> slice.count.sum())
                    .sum();
        }
    }

    /** Forgets all events. */
    public void clear(long now) {
        synchronized (slices) {
            slices.clear();
            open(now);
        }
    }

    private Slice turnTo(long now) {
        synchronized (slices) {
            if (now - newest.end >= 0) {
                while (slices.size() >= SLICES) {
                    slices.removeFirst();
                }
                open(now);
            }
            return newest;
        }
    }

    private void open(long now) {
        newest = new Slice(now + sliceNanos);
        slices.addLast(newest);
    }

    private static final class Slice {
        private final long end;
        private final LongAdder count = new LongAdder();

        Slice(long end) {
            this.end = end;
        }
    }
}
