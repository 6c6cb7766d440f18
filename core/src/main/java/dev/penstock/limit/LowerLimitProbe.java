package dev.penstock.limit;

/**
 * Tests from time to time whether a much lower limit gives as many answers. A search in small steps alone gets stuck where the
 * curve of throughput against in-flight is flat, or where the best limit is far below.
 *
 * <h2>Design note</h2>
 *
 * <p>A test costs throughput, so it runs only where a lower limit could do as well. By Little's law n calls in flight give at
 * most n / unloaded time answers a second. So half of the limit can give as many answers only if calls now take at least twice
 * the unloaded time, that is, if they spend half of their time in a queue at the target. At the knee of a healthy target this
 * is never the case, and nothing is tested there.
 *
 * <p>The tested limit is {@value #MARGIN} times the concurrency required by Little's law, at most half of the limit. Counting
 * starts when the earlier surplus in flight has ended. The unloaded time may be underestimated, since the first window contains
 * the calls that ended first. The test itself corrects it; if a limit {@value #TOO_LOW} times as high is needed then, that is
 * tested next. After each test that found fewer answers the pause before the next one doubles, from {@value
 * #FIRST_PAUSE_NANOS} to {@value #MAX_PAUSE_NANOS} ns.
 *
 * <p>No side effects; not thread-safe.
 */
final class LowerLimitProbe {
    static final long FIRST_PAUSE_NANOS = 2_000_000_000L;
    static final long MAX_PAUSE_NANOS = 60_000_000_000L;

    /** Calls that take this many times the unloaded time are considered queued at the target. */
    private static final double QUEUED_FACTOR = 3;

    private static final double MARGIN = 2;
    private static final int MAX_FACTOR = 16;

    /** This fraction of the answers counts as equal: 2^-0.05, by the minimum gain that the limit requires of a doubling. */
    private static final double SAME_RATE = 0.966;

    private static final int ENOUGH_ANSWERS = 200;
    private static final double MIN_NANOS = 250e6;
    private static final double MAX_NANOS = 1e9;

    /** If calls turn out to take so much longer that this multiple of the tested limit is needed, that is tested next. */
    private static final double TOO_LOW = 1.5;

    /** Counting starts when in-flight is at most this multiple of the tested limit. */
    private static final double DRAINED = 1.05;

    /** The result of a test. */
    enum Result {
        /** The test is still running. */
        NONE,
        /** The lower limit gives as many answers. */
        AS_MANY,
        /** The tested limit was lower than intended: the test goes on with a higher one. */
        TOO_LOW,
        /** The lower limit gives fewer answers. */
        FEWER
    }

    private boolean running;
    private int permits;
    private int from;
    private int lowest;
    private double fromRate;
    private double fromAnswers;
    private long startedAt;
    private boolean drained;
    private long countFrom;
    private double answered;
    private double rate;
    private String reason = "";
    private long pauseUntil;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /** Sets the initial time. */
    void begin(long now) {
        pauseUntil = now;
    }

    /**
     * Starts a test if it is worth its cost.
     *
     * @param limit the current number of permits
     * @param least the lowest limit to test
     * @param turn the measurement at the current limit
     * @param time the current and the unloaded time of calls
     * @return whether a test was started
     */
    boolean start(long now, int limit, int least, LoadWindow turn, TargetTimes time) {
        boolean queued = time.isKnown() && turn.cost() > QUEUED_FACTOR * time.shortestNanos();
        if (now - pauseUntil < 0 || !queued || limit / 2 < least) {
            return false;
        }
        from = limit;
        lowest = least;
        fromAnswers = turn.answered();
        fromRate = fromAnswers / turn.nanos() * 1e9;
        test(now, enough(time));
        return true;
    }

    private void test(long now, int tested) {
        running = true;
        permits = tested;
        startedAt = now;
        drained = false;
        answered = 0;
    }

    /** The concurrency that is enough for as many answers. */
    private int enough(TargetTimes time) {
        double enough = MARGIN * fromRate * time.shortestNanos() / 1e9;
        return (int)
                Math.clamp(Math.ceil(enough), Math.max(lowest, (double) from / MAX_FACTOR), Math.max(lowest, from / 2));
    }

    /** Takes a sample of the test into account. */
    Result add(LoadSample sample, TargetTimes time) {
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
        boolean done = nanos >= (answered >= ENOUGH_ANSWERS ? MIN_NANOS : Math.max(MAX_NANOS, time.nanos()));
        return done ? end(sample.to(), nanos, time) : Result.NONE;
    }

    private Result end(long now, double nanos, TargetTimes time) {
        running = false;
        rate = answered / nanos * 1e9;
        reason =
                "%d in flight gave %.0f answers/s, and %d in flight gave %.0f".formatted(from, fromRate, permits, rate);
        double noise = Math.sqrt(variance() + 1 / fromAnswers);
        boolean asMany = rate > fromRate * (SAME_RATE - noise);
        if (asMany) {
            pauseNanos = FIRST_PAUSE_NANOS;
            pauseUntil = now;
            return Result.AS_MANY;
        }
        time.raiseShortestNanos(1e9 * permits / Math.max(1, rate));
        int higher = enough(time);
        if (higher >= TOO_LOW * permits) {
            test(now, higher);
            return Result.TOO_LOW;
        }
        pauseNanos = Math.min(MAX_PAUSE_NANOS, 2 * pauseNanos);
        pauseUntil = now + pauseNanos;
        return Result.FEWER;
    }

    void cancel() {
        running = false;
    }

    boolean isRunning() {
        return running;
    }

    /** The tested number of permits. */
    int permits() {
        return permits;
    }

    /** The number of permits before the test. */
    int from() {
        return from;
    }

    /** Answers per second at the tested limit. */
    double rate() {
        return rate;
    }

    /** The squared relative error of {@link #rate()}. */
    double variance() {
        return 1 / Math.max(1, answered);
    }

    /** What the last test has shown: one sentence. */
    String reason() {
        return reason;
    }
}
