package dev.penstock.jdbc.guard;

import java.util.Arrays;
import java.util.Locale;

/**
 * Computes how many connections to allow and how many to keep warm, with reasons, from the measured demand. No I/O.
 *
 * <h2>Design note</h2>
 *
 * <p><b>Allowed (max).</b> The number in use is rate x holding time (Little's law). When it approaches the maximum, or
 * callers wait, the maximum is raised by half. If the throughput hardly rises, the database itself is saturated, and
 * the maximum goes back for a while: more connections would only slow it down.
 *
 * <p><b>Warm.</b> A caller that finds no free connection waits until one is given back or another has been opened,
 * whichever is sooner. For {@code p} concurrent callers that each hold a connection for {@code h}, and a connect time
 * of {@code c}, more than {@code p h / (c + h)} open connections bring no gain: twenty inserts of half a millisecond
 * pass through two connections before a third is open. The shortest {@code h} counts, since callers slow each other
 * down in a burst, the more so the more connections they have. That many are kept alive, but at least the mean in use
 * plus its square root, the headroom with which hardly any caller waits (S. Halfin, W. Whitt, Heavy-Traffic Limits for
 * Queues with Many Exponential Servers, 1981). Unused connections are kept alive {@value #REST} times and then closed.
 *
 * <p>Not thread-safe.
 */
final class PoolSizing {
    /** The length of a measurement, in nanoseconds. */
    static final long WINDOW = 1_000_000_000L;

    /** The initial and the least maximum. */
    static final int FIRST = 10;

    /** The upper bound of an adaptive maximum: PostgreSQL allows 100 connections by default, and has other clients. */
    static final int CEILING = 50;

    /** The number of keep-alives in a row while no caller wants a connection. */
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
    private String warmReason = "no connection was requested yet";

    /**
     * Without measurements.
     *
     * @param max the maximum number of connections; 0 for adaptive
     * @param least the minimum number of warm connections
     */
    PoolSizing(int max, int least) {
        this.maxPinned = max > 0;
        this.max = max > 0 ? max : Math.max(FIRST, least);
        this.least = Math.min(least, this.max);
        this.warm = this.least;
        this.maxReason = maxPinned ? "configured" : "initial value; the demand is measured once a second";
        Arrays.fill(needs, new Need(0, 0));
    }

    /**
     * The measurements of one window.
     *
     * @param nanos its length, in nanoseconds
     * @param returned the number of connections given back
     * @param held the total time they were held, in nanoseconds
     * @param shortest the shortest time one was held, in nanoseconds
     * @param inUse the mean number in use
     * @param peak the maximum number of callers that held or waited for a connection
     * @param waiting the number of callers waiting now
     * @param connect the time to open a connection, in nanoseconds
     */
    record Sample(
            long nanos, long returned, long held, long shortest, double inUse, int peak, int waiting, long connect) {
        double rate() {
            return returned * 1e9 / nanos;
        }

        double hold() {
            return returned == 0 ? 0 : (double) held / returned;
        }
    }

    /**
     * Processes one window.
     *
     * @param sample its measurements
     * @param unwantedFor the time since the last caller wanted or held a connection, in nanoseconds
     * @param keepFor the time after which unwanted connections are no longer kept, in nanoseconds
     */
    void window(Sample sample, long unwantedFor, long keepFor) {
        if (!maxPinned) {
            allow(sample);
        }
        keepWarm(sample, unwantedFor, keepFor);
    }

    private void allow(Sample sample) {
        if (before > 0) {
            double more = (double) max / before - 1;
            if (sample.rate() < (1 + more / 4) * rateBefore) {
                max = before;
                patience = PATIENCE;
                maxReason = String.format(
                        Locale.ROOT,
                        "more than %d connections did not raise the throughput above %.0f/s",
                        before,
                        rateBefore);
            }
            before = 0;
            return;
        }
        patience = Math.max(0, patience - 1);
        boolean overloaded = sample.waiting > 0 && sample.inUse > 0.7 * max;
        if (overloaded && patience == 0 && max < CEILING) {
            before = max;
            rateBefore = sample.rate();
            max = Math.min(CEILING, max + Math.max(2, max / 2));
            maxReason = String.format(
                    Locale.ROOT,
                    "%.0f/s x %.1f ms = %.0f in use, and %d callers waited",
                    sample.rate(),
                    sample.hold() / 1e6,
                    Math.ceil(sample.inUse),
                    sample.waiting);
        }
    }

    private void keepWarm(Sample sample, long unwantedFor, long keepFor) {
        double hold = sample.returned == 0 ? 0 : sample.shortest;
        double both = sample.connect + hold;
        double passing = both == 0 ? 0 : sample.peak * hold / both;
        needs[window++ % WINDOWS] = new Need(sample.inUse, passing);
        if (unwantedFor > keepFor) {
            warm = least;
            warmReason = least > 0 ? "configured" : "no connection was requested for " + seconds(unwantedFor);
            return;
        }
        double mean = Arrays.stream(needs).mapToDouble(Need::inUse).max().orElse(0);
        double burst = Arrays.stream(needs).mapToDouble(Need::warm).max().orElse(0);
        int wanted = (int) Math.clamp(Math.ceil(Math.max(mean + Math.sqrt(mean), burst)), 1, max);
        if (wanted <= least) {
            warm = least;
            warmReason = "configured, and no more are needed";
        } else if (wanted != warm || sample.returned > 0) {
            warm = wanted;
            warmReason = String.format(
                    Locale.ROOT,
                    "at most %.1f in use (rate x time) plus the square root of that; a connect takes %.0f ms, so more bring no gain",
                    mean,
                    sample.connect / 1e6);
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
