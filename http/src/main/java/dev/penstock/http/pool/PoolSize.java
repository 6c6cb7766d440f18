package dev.penstock.http.pool;

import dev.penstock.text.Durations;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Determines the maximum size of a pool from its measured throughput, with a reason. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>The mean number of connections in use is rate x time (Little's law; J. D. C. Little, A Proof for the Queuing Formula L =
 * λW, 1961). Arrivals are bursty, so the size is twice the mean plus {@value #HEADROOM}. The highest mean of the last minute
 * counts, so that a short pause does not shrink the pool. A caller that finds no free permit raises the size immediately: a
 * burst must not wait for the next measurement. The size does not protect the target from overload; the limit of the flow does,
 * which measures the target instead of the demand. The size bounds the resources of this process.
 *
 * <p>Not thread-safe.
 */
final class PoolSize {
    /** The interval over which a mean is taken: 10 s, in nanoseconds. */
    static final long WINDOW = 10_000_000_000L;

    /** The upper bound of an automatic size. */
    static final int CEILING = 10_000;

    static final int HEADROOM = 32;
    /** Means of the last minute are kept. */
    private static final int WINDOWS = 6;

    private static final int START = 64;

    private boolean pinned;
    private @Nullable Before before;
    private final double[] means = new double[WINDOWS];
    private int window;
    private int max;
    private String reason;

    /** The state to restore when the pin is removed. */
    private record Before(int max, boolean pinned, String reason) {}

    private PoolSize(int max, boolean pinned, String reason) {
        this.max = max;
        this.pinned = pinned;
        this.reason = reason;
    }

    static PoolSize automatic() {
        return new PoolSize(START, false, "initial value; the need is measured every 10 s");
    }

    static PoolSize pinned(int max) {
        return new PoolSize(max, true, "given");
    }

    /** Fixes the size. */
    void pin(int wanted) {
        if (before == null) {
            before = new Before(max, pinned, reason);
        }
        max = wanted;
        pinned = true;
    }

    /** Removes the pin: an automatic size adapts from its current value, a configured one is restored. */
    void unpin() {
        Before was = before;
        if (was == null) {
            return;
        }
        before = null;
        pinned = was.pinned;
        max = was.pinned ? was.max : Math.clamp(max, 1, CEILING);
        reason = was.pinned ? was.reason : "the pinned value; the need is measured every 10 s";
    }

    int max() {
        return max;
    }

    String reason() {
        return reason;
    }

    boolean isPinned() {
        return pinned;
    }

    /** Raises the size for a caller that found no free permit. */
    void exhausted(int inUse, int waiting) {
        int wanted = inUse + waiting + 1;
        if (pinned || wanted < max) {
            return;
        }
        int larger = Math.min(CEILING, wanted + Math.max(HEADROOM, wanted / 4));
        if (larger > max) {
            max = larger;
            reason = "%d were needed at once, plus a quarter".formatted(wanted);
        }
    }

    /**
     * Adapts the size at the end of a window.
     *
     * @param nanos length of the window
     * @param exchanges how many exchanges ended in it
     * @param busy nanoseconds that these exchanges had a connection, summed up
     * @param inUse how many connections are in use now
     */
    void window(long nanos, long exchanges, long busy, int inUse) {
        if (pinned) {
            return;
        }
        means[window++ % WINDOWS] = (double) busy / nanos;
        double mean = Arrays.stream(means).max().orElse(0);
        int needed = (int) Math.clamp(Math.ceil(2 * mean) + HEADROOM, START, CEILING);
        if (needed == max || inUse + HEADROOM > needed) {
            return;
        }
        max = needed;
        reason = exchanges == 0
                ? "little traffic in the last minute"
                : String.format(
                        Locale.ROOT,
                        "%.1f calls/s of %s each use at most %.0f connections (rate x time); twice that plus %d",
                        exchanges * 1e9 / nanos,
                        Durations.format(busy / exchanges / 100_000 * 100_000),
                        Math.ceil(mean),
                        HEADROOM);
    }
}
