package dev.penstock.jdbc.guard;

import java.util.Arrays;
import java.util.Locale;

/**
 * How many connections to allow and how many to keep warm: what was wanted goes in, two numbers with their reasons come out.
 * Pure.
 *
 * <h2>Design note</h2>
 *
 * <p><b>Allowed.</b> What is in use at once is rate x time (Little's law). When it comes near what is allowed, or callers
 * wait, half as many more are allowed; when that carried hardly more, the database is what is full, and the number goes back
 * for a while: more connections would only make it slower.
 *
 * <p><b>Warm.</b> Who finds no connection free waits until one comes back or another is open, whichever is sooner. So of
 * {@code p} callers at once who each hold a connection for {@code h}, and an opening that takes {@code c}, more than
 * {@code p h / (c + h)} open ones save nobody anything: twenty inserts of half a millisecond pass through two connections
 * before a third is open. The shortest {@code h} counts, for in a burst calls get in each other's way, the more so the more
 * connections they have. That many are kept alive, but no fewer than the mean in use and its square root, which is the
 * headroom that lets hardly anybody wait (S. Halfin, W. Whitt, Heavy-Traffic Limits for Queues with Many Exponential Servers,
 * 1981). For nobody at all a connection is kept alive {@value #REST} times, and then let go.
 *
 * <p>For one thread at a time.
 */
final class PoolSizing {
    /** How long a measurement lasts, nanoseconds. */
    static final long WINDOW = 1_000_000_000L;

    /** How many are allowed at first, and at least. */
    static final int FIRST = 10;

    /** The most that an automatic number becomes: a database has a hundred places, and other clients. */
    static final int CEILING = 50;

    /** How often in a row connections are kept alive while nobody wants one. */
    static final int REST = 10;

    private static final int WINDOWS = 60;
    private static final int PATIENCE = 60;

    private record Need(double inUse, double warm) {}

    private final boolean maxPinned;
    private final int least;
    private final Need[] needs = new Need[WINDOWS];
    private int window;
    private int max;
    private int warm;
    private double rateBefore;
    private int before;
    private int patience;
    private String maxReason;
    private String warmReason = "nobody has wanted one yet";

    /**
     * A shape that has measured nothing.
     *
     * @param max how many are allowed; 0 finds it
     * @param least how many are kept warm at least
     */
    PoolSizing(int max, int least) {
        this.maxPinned = max > 0;
        this.max = max > 0 ? max : Math.max(FIRST, least);
        this.least = Math.min(least, this.max);
        this.warm = this.least;
        this.maxReason = maxPinned ? "given" : "where it begins; what is wanted is measured each second";
        Arrays.fill(needs, new Need(0, 0));
    }

    /**
     * What was seen in a window of time.
     *
     * @param nanos how long it was
     * @param returned how many callers gave a connection back
     * @param held for how many nanoseconds they had had them, together
     * @param shortest for how many nanoseconds the one had it who had it for the shortest time
     * @param inUse the mean in use
     * @param peak the most that were wanted at once, waiting included
     * @param waiting how many wait now
     * @param connect how long an opening takes, nanoseconds
     */
    record Seen(
            long nanos, long returned, long held, long shortest, double inUse, int peak, int waiting, long connect) {
        double rate() {
            return returned * 1e9 / nanos;
        }

        double hold() {
            return returned == 0 ? 0 : (double) held / returned;
        }
    }

    /**
     * A window is over.
     *
     * @param seen what it was like
     * @param resting how long nobody has wanted a connection, nanoseconds
     * @param restFor after how long of that none is kept for nobody, nanoseconds
     */
    void window(Seen seen, long resting, long restFor) {
        if (!maxPinned) {
            allow(seen);
        }
        keepWarm(seen, resting, restFor);
    }

    private void allow(Seen seen) {
        if (before > 0) {
            double more = (double) max / before - 1;
            if (seen.rate() < (1 + more / 4) * rateBefore) {
                max = before;
                patience = PATIENCE;
                maxReason = String.format(
                        Locale.ROOT, "more than %d carried no more than %.0f a second", before, rateBefore);
            }
            before = 0;
            return;
        }
        patience = Math.max(0, patience - 1);
        boolean pressed = seen.waiting > 0 && seen.inUse > 0.7 * max;
        if (pressed && patience == 0 && max < CEILING) {
            before = max;
            rateBefore = seen.rate();
            max = Math.min(CEILING, max + Math.max(2, max / 2));
            maxReason = String.format(
                    Locale.ROOT,
                    "%.0f a second for %.1f ms each keep %.0f in use (rate x time), and %d waited",
                    seen.rate(),
                    seen.hold() / 1e6,
                    Math.ceil(seen.inUse),
                    seen.waiting);
        }
    }

    private void keepWarm(Seen seen, long resting, long restFor) {
        double hold = seen.returned == 0 ? 0 : seen.shortest;
        double both = seen.connect + hold;
        double passing = both == 0 ? 0 : seen.peak * hold / both;
        needs[window++ % WINDOWS] = new Need(seen.inUse, passing);
        if (resting > restFor) {
            warm = least;
            warmReason = least > 0 ? "given" : "nobody wanted one for " + seconds(resting);
            return;
        }
        double mean = Arrays.stream(needs).mapToDouble(Need::inUse).max().orElse(0);
        double burst = Arrays.stream(needs).mapToDouble(Need::warm).max().orElse(0);
        int wanted = (int) Math.clamp(Math.ceil(Math.max(mean + Math.sqrt(mean), burst)), 1, max);
        if (wanted <= least) {
            warm = least;
            warmReason = "given, and no more are wanted";
        } else if (wanted != warm || seen.returned > 0) {
            warm = wanted;
            warmReason = String.format(
                    Locale.ROOT,
                    "%.1f in use at most (rate x time) and the square root of that; an opening takes %.0f ms, so more save nobody anything",
                    mean,
                    seen.connect / 1e6);
        }
    }

    private static String seconds(long nanos) {
        return Math.round(nanos / 1e9) + " s";
    }

    int max() {
        return max;
    }

    int warm() {
        return warm;
    }

    boolean isMaxPinned() {
        return maxPinned;
    }

    boolean isWarmPinned() {
        return least > 0;
    }

    String maxReason() {
        return maxReason;
    }

    String warmReason() {
        return warmReason;
    }
}
