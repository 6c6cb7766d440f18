package dev.penstock.limit;

/**
 * Keeps the limit below the concurrency above which the target refuses calls, whatever form a refusal has: a busy answer, an
 * error or a closed connection.
 *
 * <h2>Design note</h2>
 *
 * <p>A fast failure alone does not show whether it depends on load. So for a short trial the limit is lowered to the number of
 * calls that get answers; this costs nothing if the target accepts no more anyway. If the share of refusals falls by half, they
 * depend on the number in flight, and that number becomes the cap. Otherwise the limit is restored, and refusals are ignored
 * for {@value #IGNORED_NANOS} ns, then for twice as long, and so on.
 *
 * <p>A call above the cap is refused immediately, and so is the next one that takes its permit: a limit that is one too high
 * lets all excess load through. So the cap is raised in steps of 1, 2, 4 ... while nothing is refused, and lowered again at the
 * first refusals. It is then held for {@value #LONGEST_HOLD_NANOS} ns after a step of 1, and for {@value #SHORTEST_HOLD_NANOS}
 * ns after a larger step.
 *
 * <p>No side effects; not thread-safe.
 */
final class RefusalCap {
    static final long SHORTEST_HOLD_NANOS = 1_000_000_000L;
    static final long LONGEST_HOLD_NANOS = 2_000_000_000L;
    static final long IGNORED_NANOS = 30_000_000_000L;

    private static final long LONGEST_IGNORED_NANOS = 300_000_000_000L;
    private static final long SHORTEST_SETTLE_NANOS = 50_000_000L;
    private static final double DECAY = 0.95;
    private static final double FAST_FACTOR = 0.3;
    private static final int MIN_REFUSALS = 3;
    private static final double MIN_SHARE = 0.05;
    private static final int MIN_TRIAL_ATTEMPTS = 20;

    private double answered;
    private double area;
    private double refused;
    private double nanos;

    private double cap = Double.POSITIVE_INFINITY;
    private int before;
    private int step = 1;
    private boolean raised;
    private long holdUntil;

    private boolean trial;
    private double trialShare;
    private long countFrom;

    private long ignoredUntil;
    private long ignoredNanos = IGNORED_NANOS;

    /** Sets the initial time. */
    void begin(long now) {
        holdUntil = now;
        countFrom = now;
        ignoredUntil = now;
    }

    /**
     * Takes a sample into account.
     *
     * @param permits the current number of permits
     * @param least the lowest limit
     * @param typicalNanos the typical time of an answered call; 0 when not known
     * @return the next number of permits; unchanged for no change
     */
    int next(LoadSample sample, int permits, int least, double typicalNanos) {
        long now = sample.to();
        if (now - countFrom < 0) {
            return permits;
        }
        count(sample, typicalNanos);
        if (trial) {
            return answered + refused < MIN_TRIAL_ATTEMPTS ? permits : endTrial(permits, now);
        }
        if (now - ignoredUntil < 0) {
            return permits;
        }
        if (refused >= MIN_REFUSALS && share() > MIN_SHARE) {
            return raised ? revert(now) : lower(permits, least, now);
        }
        boolean isFull = sample.blocked() > 0 || sample.inFlight() >= permits;
        return isCapped() && permits >= cap && isFull && now - holdUntil >= 0 ? raise(now, typicalNanos) : permits;
    }

    private void count(LoadSample sample, double typicalNanos) {
        answered = DECAY * answered + sample.answered();
        double stretch = sample.to() - sample.from();
        area = DECAY * area + sample.inFlight() * stretch;
        nanos = DECAY * nanos + stretch;
        refused = DECAY * refused
                + fast(sample.dropped(), sample.droppedNanos(), typicalNanos)
                + fast(sample.failed(), sample.failedNanos(), typicalNanos);
    }

    private static long fast(long count, long nanos, double typicalNanos) {
        return nanos < FAST_FACTOR * typicalNanos * count ? count : 0;
    }

    private int lower(int permits, int least, long now) {
        int next = Math.clamp(Math.round(area / nanos), least, Math.max(least, permits - 1));
        if (answered == 0 || next >= permits) {
            return permits;
        }
        trial = true;
        trialShare = share();
        before = permits;
        settle(now);
        return next;
    }

    private int endTrial(int permits, long now) {
        trial = false;
        boolean fewer = share() < trialShare / 2;
        settle(now);
        if (fewer) {
            cap = permits;
            step = 1;
            ignoredNanos = IGNORED_NANOS;
            holdUntil = now + SHORTEST_HOLD_NANOS;
            return permits;
        }
        cap = Double.POSITIVE_INFINITY;
        ignoredUntil = now + ignoredNanos;
        ignoredNanos = Math.min(LONGEST_IGNORED_NANOS, 2 * ignoredNanos);
        return before;
    }

    private int raise(long now, double typicalNanos) {
        raised = true;
        before = (int) cap;
        cap += step;
        step *= 2;
        holdUntil = now + Math.max(SHORTEST_SETTLE_NANOS, (long) typicalNanos);
        return (int) cap;
    }

    private int revert(long now) {
        raised = false;
        boolean byOne = cap - before <= 1;
        cap = before;
        step = 1;
        holdUntil = now + (byOne ? LONGEST_HOLD_NANOS : SHORTEST_HOLD_NANOS);
        settle(now);
        return before;
    }

    private void settle(long now) {
        countFrom = now + SHORTEST_SETTLE_NANOS / 2;
        answered = 0;
        area = 0;
        refused = 0;
        nanos = 0;
    }

    /** Discards what is known of the target. */
    void clear(long now) {
        trial = false;
        raised = false;
        cap = Double.POSITIVE_INFINITY;
        settle(now);
    }

    /** Why the number of permits changes: one sentence. */
    String reason(int permits, int next) {
        return next > permits
                ? "no refusals with %d in flight".formatted(permits)
                : "the target refused %.0f %% of calls with %d in flight".formatted(100 * trialShare, permits);
    }

    /** The recent share of refused attempts. */
    private double share() {
        return refused / Math.max(1, refused + answered);
    }

    boolean isTrial() {
        return trial;
    }

    boolean isCapped() {
        return cap < Double.POSITIVE_INFINITY;
    }

    /** The number of concurrent calls that the target accepts; infinite when it does not refuse any. */
    double cap() {
        return cap;
    }
}
