package dev.penstock.http.pool;

import dev.penstock.Durations;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many connections a pool may have: what was carried goes in, a number with its reason comes out. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>What is in use at once is rate x time (Little's law; J. D. C. Little, A Proof for the Queuing Formula L = λW, 1961).
 * That is a mean, and arrivals come in bursts: twice the mean and {@value #HEADROOM} more leave room for them. The highest
 * mean of the last minute counts, so a short pause does not close what is needed again. Who finds no place free raises the
 * number at once: a burst must not wait for the next measurement. What protects the target from too many is a limit in
 * front of it, which measures the target and not the demand; this bounds what the process holds.
 *
 * <p>For one thread at a time.
 */
final class PoolSize {
    /** How long a mean is taken over, nanoseconds. */
    static final long WINDOW = 10_000_000_000L;

    /** The most that an automatic number becomes. */
    static final int CEILING = 10_000;

    static final int HEADROOM = 32;
    private static final int WINDOWS = 6;
    private static final int START = 64;

    private boolean pinned;
    private @Nullable Before before;
    private final double[] means = new double[WINDOWS];
    private int window;
    private int max;
    private String reason;

    /** What holds again once nobody pins it. */
    private record Before(int max, boolean pinned, String reason) {}

    private PoolSize(int max, boolean pinned, String reason) {
        this.max = max;
        this.pinned = pinned;
        this.reason = reason;
    }

    static PoolSize automatic() {
        return new PoolSize(START, false, "where it begins; what is needed is measured every 10 s");
    }

    static PoolSize pinned(int max) {
        return new PoolSize(max, true, "given");
    }

    /** Allows this many from now on, whatever is wanted. */
    void pin(int wanted) {
        if (before == null) {
            before = new Before(max, pinned, reason);
        }
        max = wanted;
        pinned = true;
    }

    /** Goes on from where it is, or back to what was given. */
    void unpin() {
        Before was = before;
        if (was == null) {
            return;
        }
        before = null;
        pinned = was.pinned;
        max = was.pinned ? was.max : Math.clamp(max, 1, CEILING);
        reason = was.pinned ? was.reason : "where it was pinned; what is needed is measured every 10 s";
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

    /** Somebody found no place free. */
    void pressed(int inUse, int waiting) {
        int wanted = inUse + waiting + 1;
        if (pinned || wanted < max) {
            return;
        }
        int room = Math.min(CEILING, wanted + Math.max(HEADROOM, wanted / 4));
        if (room > max) {
            max = room;
            reason = "%d were wanted at once, and a quarter more".formatted(wanted);
        }
    }

    /**
     * A window is over.
     *
     * @param nanos how long it was
     * @param carried how many exchanges ended in it
     * @param busy for how many nanoseconds they had a connection, together
     * @param inUse how many are in use now
     */
    void window(long nanos, long carried, long busy, int inUse) {
        if (pinned) {
            return;
        }
        means[window++ % WINDOWS] = (double) busy / nanos;
        double mean = Arrays.stream(means).max().orElse(0);
        int room = (int) Math.clamp(Math.ceil(2 * mean) + HEADROOM, START, CEILING);
        if (room == max || inUse + HEADROOM > room) {
            return;
        }
        max = room;
        reason = carried == 0
                ? "little was carried lately"
                : String.format(
                        Locale.ROOT,
                        "%.1f a second of %s each keep %.0f in use at most (rate x time); twice that and %d more",
                        carried * 1e9 / nanos,
                        Durations.words(busy / carried / 100_000 * 100_000),
                        Math.ceil(mean),
                        HEADROOM);
    }
}
