package dev.penstock.limit;

import dev.penstock.text.Durations;

/**
 * Doubles the limit while the target shows no sign of load, so that the limit never slows down a healthy target.
 *
 * <h2>Design note</h2>
 *
 * <p>This is the slow start of TCP (RFC 5681, section 3.1): double until a sign of congestion, and do not double again beyond
 * that level. The limit doubles in two cases:
 *
 * <ul>
 *   <li>No call has returned yet. A target that answers in five seconds gives no signal in the first five. Until then the
 *       limit doubles every {@value #BLIND_NANOS} ns, so a target that answers sooner gets at most twice the initial limit
 *       without a measurement.
 *   <li>Throughput grows with the number in flight: with k times as many in flight, calls take less than k to the power of
 *       {@value #GROWTH} times as long, so ten percent more in flight give at least seven percent more answers.
 * </ul>
 *
 * <p>No side effects; not thread-safe.
 */
final class SlowStart {
    static final long BLIND_NANOS = 50_000_000;

    private static final double BLIND_SHARE = 1 / 8.0;
    private static final int MIN_ARRIVALS = 10;

    private static final long SHORTEST_NANOS = 25_000_000;

    /** The exponent by which call times may grow with in-flight. */
    static final double GROWTH = 0.3;

    /** Call times longer by up to this factor count as noise. */
    private static final double NOISE = 1.15;

    private static final double MOST_NOISE = 1.4;

    private static final long THRESHOLD_KEPT_NANOS = 30_000_000_000L;

    private double threshold = Double.POSITIVE_INFINITY;
    private long thresholdSince;
    private long lastGrowth;
    private boolean full;
    private long fullSince;
    private long blockedBefore;

    /**
     * Whether to double before the first answer. With a deadline, only if requests arrive fast enough to fill the permits in a
     * small part of the allowed call time: permits that fill later would hold the target busy for too long.
     *
     * @param allowedNanos the time that a call may take, which is half of the deadline; infinite without a deadline
     * @param blocked the number of requests so far that found no permit free, which shows the arrival rate
     */
    boolean mayGrowBlindly(int permits, double allowedNanos, long now, long blocked) {
        if (!full) {
            full = true;
            fullSince = now;
            blockedBefore = blocked;
        }
        long arrived = blocked - blockedBefore;
        double filledIn = (double) permits * (now - fullSince) / Math.max(1, arrived);
        return arrived >= MIN_ARRIVALS && filledIn <= BLIND_SHARE * allowedNanos;
    }

    /** Sets the initial time. */
    void begin(long now) {
        lastGrowth = now;
    }

    /** The target showed load, and the limit was cut: from now on it doubles up to this level only. */
    void stopAt(double level, long now) {
        threshold = level;
        thresholdSince = now;
    }

    /** Throughput clearly grows with the number in flight: raises the threshold to at least this level. */
    void raise(double level) {
        threshold = Math.max(threshold, level);
    }

    /** Whether the target has shown load. */
    boolean hasSeenLoad() {
        return threshold < Double.POSITIVE_INFINITY;
    }

    /** Discards what is known of the target. */
    void clear() {
        threshold = Double.POSITIVE_INFINITY;
    }

    /**
     * The next number of permits while requests wait; unchanged when doubling is not allowed.
     *
     * @param time the current and the unloaded time of calls
     */
    int grow(int permits, TargetTimes time, double allowedNanos, long now) {
        if (now - thresholdSince > Math.max(THRESHOLD_KEPT_NANOS, 20 * time.nanos())) {
            clear();
        }
        int next = (int) Math.min(factor(time, allowedNanos) * permits, threshold);
        if (next <= permits || now - lastGrowth < (time.isKnown() ? SHORTEST_NANOS : BLIND_NANOS)) {
            return permits;
        }
        lastGrowth = now;
        time.restartWindow();
        return next;
    }

    private static double factor(TargetTimes time, double allowedNanos) {
        if (!time.isKnown()) {
            // With a deadline, wait for the first answers: they show whether calls take too long.
            return time.isBlind() || allowedNanos == Double.POSITIVE_INFINITY ? 2 : 1;
        }
        double more = time.inFlight() / time.unloadedInFlight();
        double longer = time.nanos() / time.unloadedNanos();
        boolean grows = time.isFresh() && longer <= Math.clamp(Math.pow(more, GROWTH), NOISE, MOST_NOISE);
        return grows ? Math.min(2, allowedNanos / time.nanos()) : 1;
    }

    /** Why the limit doubles: one sentence. */
    static String reason(TargetTimes time) {
        return time.isKnown()
                ? "calls take %s with %.0f in flight, and %s with %.0f: no sign of load"
                        .formatted(
                                Durations.format((long) time.nanos()),
                                time.inFlight(),
                                Durations.format((long) time.unloadedNanos()),
                                time.unloadedInFlight())
                : "no call has returned yet";
    }
}
