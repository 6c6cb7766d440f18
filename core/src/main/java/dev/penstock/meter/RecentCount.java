package dev.penstock.meter;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events, and tells how many there were lately: a {@link RecentWindow} over a count of its own. The time is given by
 * the caller.
 *
 * <p>Counting costs one comparison and one uncontended add. Safe for many threads.
 */
public final class RecentCount {
    private final LongAdder total = new LongAdder();
    private final RecentWindow window;

    /**
     * An empty count.
     *
     * @param window how far back to remember; at least 1 us
     * @param now the current reading of the ticker that all later times come from
     */
    public RecentCount(Duration window, long now) {
        this.window = new RecentWindow(window, now, total::sum);
    }

    /** Counts one event at the given time. */
    public void add(long now) {
        window.look(now);
        total.increment();
    }

    /** How many events there were ever. */
    public long total() {
        return total.sum();
    }

    /** How many events there were in the window that ends at the given time. */
    public long recent(long now) {
        return window.recent(now);
    }

    /** How many events there were a second, in the window that ends at the given time, or since the beginning if that is nearer. */
    public double perSecond(long now) {
        return window.perSecond(now);
    }

    /** Starts the window anew: what was counted so far is no longer recent. */
    public void forget(long now) {
        window.forget(now);
    }
}
