package dev.penstock.limit;

/**
 * Doubles the limit at once while the target shows no sign of load, so that a healthy target is never held back.
 *
 * <h2>Design note</h2>
 *
 * <p>This is the slow start of TCP (RFC 5681, section 3.1): double until a sign of congestion, and do not double again beyond
 * the level at which there was one. Two signs allow to double:
 *
 * <ul>
 *   <li>Nothing has come back yet. A target that answers in five seconds cannot say anything in the first five; until then
 *       the limit doubles every {@value #BLIND_NANOS} ns, so a target that answers sooner than that gets only twice the first
 *       limit blindly.
 *   <li>Throughput grows with the number in flight. With so many times more in flight, calls take hardly longer: less than
 *       that factor to the power of {@value #GROWTH}, so that of ten percent more in flight at least seven come back.
 * </ul>
 *
 * <p>Pure; not safe for many threads.
 */
final class SlowStart {
    static final long BLIND_NANOS = 50_000_000;

    private static final double BLIND_SHARE = 1 / 8.0;
    private static final int FEW = 10;

    private static final long SHORTEST_NANOS = 25_000_000;

    /** How much of the growth of in-flight may go into longer times. */
    static final double GROWTH = 0.3;

    /** Times this much longer are noise. */
    private static final double NOISE = 1.15;

    private static final double MOST_NOISE = 1.4;

    private static final long THRESHOLD_KEPT_NANOS = 30_000_000_000L;

    private double threshold = Double.POSITIVE_INFINITY;
    private long thresholdSince;
    private long lastGrowth;
    private boolean blocked;
    private long blockedSince;
    private long refusedBefore;

    /**
     * Whether to double before anything is known of the target. With a deadline only for the time in which half of the
     * deadline is far: what fills the permits later than that would find the target busy for too long.
     *
     * @param ceilingNanos how long a call may take; infinite without a deadline
     * @param refused how many calls found no permit free so far, which tells how fast they come
     */
    boolean mayGrowBlindly(int permits, double ceilingNanos, long now, long refused) {
        if (!blocked) {
            blocked = true;
            blockedSince = now;
            refusedBefore = refused;
        }
        long comes = refused - refusedBefore;
        double filledIn = (double) permits * (now - blockedSince) / Math.max(1, comes);
        return comes >= FEW && filledIn <= BLIND_SHARE * ceilingNanos;
    }

    /** Begins to measure time. */
    void begin(long now) {
        lastGrowth = now;
    }

    /** The target showed load, and the limit was taken down to a level: from now on it doubles up to there only. */
    void stopAt(double level, long now) {
        threshold = level;
        thresholdSince = now;
    }

    /** Throughput clearly grows with the number in flight: it may double up to a level at least. */
    void raise(double level) {
        threshold = Math.max(threshold, level);
    }

    /** Up to where it may double. */
    double threshold() {
        return threshold;
    }

    /** What was known of the target does not apply any more. */
    void clear() {
        threshold = Double.POSITIVE_INFINITY;
    }

    /**
     * How many permits there are to be while somebody waits for one; the same number when doubling is not allowed.
     *
     * @param time how long calls take now, and with little load
     */
    int grow(int permits, UnloadedTime time, double ceilingNanos, long now) {
        if (now - thresholdSince > Math.max(THRESHOLD_KEPT_NANOS, 20 * time.nanos())) {
            clear();
        }
        int next = (int) Math.min(factor(time, ceilingNanos) * permits, threshold);
        if (next <= permits || now - lastGrowth < (time.isKnown() ? SHORTEST_NANOS : BLIND_NANOS)) {
            return permits;
        }
        lastGrowth = now;
        time.restartWindow();
        return next;
    }

    private static double factor(UnloadedTime time, double ceilingNanos) {
        if (!time.isKnown()) {
            // With a deadline the first few answers already show that calls do not take too long.
            return time.isBlind() || ceilingNanos == Double.POSITIVE_INFINITY ? 2 : 1;
        }
        double more = time.inFlight() / time.unloadedInFlight();
        double longer = time.nanos() / time.unloadedNanos();
        boolean grows = time.isFresh() && longer <= Math.clamp(Math.pow(more, GROWTH), NOISE, MOST_NOISE);
        return grows ? Math.min(2, ceilingNanos / time.nanos()) : 1;
    }
}
