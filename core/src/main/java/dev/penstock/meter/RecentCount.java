package dev.penstock.meter;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events, in total and in a recent window: a {@link RecentWindow} with its own counter. The caller passes the time.
 *
 * <p>Counting costs one comparison and one uncontended add. Thread-safe.
 */
public final class RecentCount {
    private final LongAdder total = new LongAdder();
    private final RecentWindow window;

    /**
     * An empty count.
     *
     * @param window the length of the window; at least 1 us
     * @param now the current reading of the ticker; all later times must be from the same ticker
     */
    public RecentCount(Duration window, long now) {
        this.window = new RecentWindow(window, now, total::sum);
    }

    /** Counts one event at the given time. */
    public void add(long now) {
        window.advance(now);
        total.increment();
    }

    /** The total number of events. */
    public long total() {
        return total.sum();
    }

    /** The number of events in the window that ends at the given time. */
    public long recent(long now) {
        return window.recent(now);
    }

    /** Events per second in the window that ends at the given time, or since the creation of this count if that is shorter. */
    public double perSecond(long now) {
        return window.perSecond(now);
    }
}
