package dev.penstock.limit;

/**
 * Tests from time to time whether a much lower limit gives as many answers, since a search in small steps is trapped where the
 * curve of throughput against in-flight is flat, or has fallen from a better level far below.
 *
 * <h2>Design note</h2>
 *
 * <p>A test is worth its price only where a lower limit could do as well. By Little's law n calls in flight give at most
 * n / unloaded time answers a second. So half of the limit can give as many answers as now only if calls now take twice the
 * unloaded time or more, that is if they are queued at the target for half of their time. At the knee of a healthy target this
 * is never so, and nothing is tested there.
 *
 * <p>The test goes to {@value #MARGIN} times what Little's law asks for, and to half of the limit at least. It counts answers
 * once what was in flight has ended. After a test that found fewer answers the next one waits twice as long as the one before,
 * {@value #FIRST_PAUSE_NANOS} to {@value #LONGEST_PAUSE_NANOS} ns.
 *
 * <p>Pure; not safe for many threads.
 */
final class LowerLimitProbe {
    static final long FIRST_PAUSE_NANOS = 2_000_000_000L;
    static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

    /** Calls that take this many times the unloaded time may be queued at the target for half of it. */
    private static final double LONGER = 3;

    private static final double MARGIN = 2;
    private static final int LARGEST_STEP = 16;

    /** So much less is as good: what the limit's slope asks of twice as many in flight, 2^0.05. */
    private static final double AS_GOOD = 0.966;

    private static final int ENOUGH = 200;
    private static final double SHORTEST_NANOS = 250e6;
    private static final double LONGEST_NANOS = 1e9;

    /** How many more than the tested limit may be in flight when the test begins to count. */
    private static final double DRAINED = 1.05;

    /** What a test came to. */
    enum Result {
        /** It is still running. */
        NONE,
        /** The lower limit gives as many answers. */
        AS_MANY,
        /** It gives fewer. */
        FEWER
    }

    private boolean running;
    private int permits;
    private int from;
    private double fromRate;
    private double fromAnswers;
    private long startedAt;
    private boolean drained;
    private long countFrom;
    private double answered;
    private double rate;
    private long pauseUntil;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /** Begins to measure time. */
    void begin(long now) {
        pauseUntil = now;
    }

    /**
     * Starts a test when one is worth its price.
     *
     * @param limit how many permits there are
     * @param least the lowest limit to test
     * @param turn what they gave
     * @param time how long calls take now, and with little load
     * @return whether a test runs now
     */
    boolean start(long now, int limit, int least, LoadWindow turn, UnloadedTime time) {
        boolean queued = time.isKnown() && turn.cost() > LONGER * time.shortestNanos();
        if (now - pauseUntil < 0 || !queued || limit / 2 < least) {
            return false;
        }
        running = true;
        from = limit;
        fromAnswers = turn.answered();
        fromRate = fromAnswers / turn.nanos() * 1e9;
        double enough = MARGIN * fromRate * time.shortestNanos() / 1e9;
        permits = (int) Math.clamp(
                Math.ceil(enough), Math.max(least, (double) limit / LARGEST_STEP), Math.max(least, limit / 2));
        startedAt = now;
        drained = false;
        answered = 0;
        return true;
    }

    /** Takes a stretch of the test into account. */
    Result add(LoadSample sample, UnloadedTime time) {
        if (!drained) {
            boolean enough = sample.inFlight() <= DRAINED * permits;
            boolean tooLong = sample.to() - startedAt > 3 * time.nanos();
            drained = enough || tooLong;
            countFrom = sample.to() + (long) time.unloadedNanos();
            return Result.NONE;
        }
        if (sample.from() - countFrom < 0) {
            return Result.NONE;
        }
        answered += sample.answered();
        double nanos = sample.to() - countFrom;
        boolean done = nanos >= (answered >= ENOUGH ? SHORTEST_NANOS : Math.max(LONGEST_NANOS, time.nanos()));
        return done ? end(sample.to(), nanos, time) : Result.NONE;
    }

    private Result end(long now, double nanos, UnloadedTime time) {
        running = false;
        rate = answered / nanos * 1e9;
        double noise = Math.sqrt(doubt() + 1 / fromAnswers);
        boolean asMany = rate > fromRate * (AS_GOOD - noise);
        pauseNanos = asMany ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * pauseNanos);
        pauseUntil = asMany ? now : now + pauseNanos;
        if (!asMany) {
            time.tookLonger(1e9 * permits / Math.max(1, rate));
        }
        return asMany ? Result.AS_MANY : Result.FEWER;
    }

    void cancel() {
        running = false;
    }

    boolean isRunning() {
        return running;
    }

    /** How many permits there are during the test. */
    int permits() {
        return permits;
    }

    /** How many there were before it. */
    int from() {
        return from;
    }

    /** How many answers a second they gave. */
    double fromRate() {
        return fromRate;
    }

    /** How many answers a second the lower limit gave. */
    double rate() {
        return rate;
    }

    /** The squared relative error of that. */
    double doubt() {
        return 1 / Math.max(1, answered);
    }
}
