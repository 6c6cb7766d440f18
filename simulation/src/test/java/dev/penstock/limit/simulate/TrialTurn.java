package dev.penstock.limit.simulate;

import dev.penstock.limit.LimitController.Outcome;

/** The calls that began at one number of permits, whenever they end. */
final class TrialTurn {
    /** A failure that takes a smaller share of the usual time is a refusal. */
    private static final double FAST_SHARE = 0.3;

    /** Longer times count as this multiple of the usual one. */
    private static final double LONGEST = 8;

    private final long from;
    private final int permits;
    private final double usualNanos;
    private final double fastNanos;
    private long started;
    private long ended;
    private long answered;
    private long dropped;
    private long blocked;
    private double held;
    private double times;
    private double squares;

    /**
     * A turn without calls.
     *
     * @param usualNanos the time of an answer; 0 when not known
     * @param unknownFastNanos what counts as a refusal then
     */
    TrialTurn(long from, int permits, double usualNanos, double unknownFastNanos) {
        this.from = from;
        this.permits = permits;
        this.usualNanos = usualNanos;
        this.fastNanos = usualNanos > 0 ? FAST_SHARE * usualNanos : unknownFastNanos;
    }

    void start(long now) {
        started++;
        held -= now - from;
    }

    void block(long requests) {
        blocked += requests;
    }

    void end(long now, long nanos, Outcome outcome) {
        ended++;
        held += now - from;
        boolean refused = outcome != Outcome.SUCCESS && nanos < fastNanos;
        if (refused || outcome == Outcome.IGNORED || outcome == Outcome.FAILED) {
            return;
        }
        answered += outcome == Outcome.SUCCESS ? 1 : 0;
        dropped += outcome == Outcome.SUCCESS ? 0 : 1;
        double counted = usualNanos > 0 ? Math.min(nanos, LONGEST * usualNanos) : nanos;
        times += counted;
        squares += counted * counted;
    }

    long from() {
        return from;
    }

    int permits() {
        return permits;
    }

    long arrived() {
        return started + blocked;
    }

    long started() {
        return started;
    }

    long blocked() {
        return blocked;
    }

    long answered() {
        return answered;
    }

    long dropped() {
        return dropped;
    }

    /** The calls whose times are known. */
    long timed() {
        return answered + dropped;
    }

    boolean hasEnded(double share) {
        return ended >= share * started;
    }

    /** The logarithm of the mean time of those that have ended. */
    double meanLog() {
        return Math.log(times / Math.max(1, timed()));
    }

    /** The squared relative error of that mean. */
    double variance() {
        double n = Math.max(1, timed());
        return (Math.max(0, squares * n / (times * times) - 1) + 1e-4) / n;
    }

    /**
     * The time that permits were held, per call that has ended. With those that have not ended this is the estimate for
     * censored exponential times, so a turn can be judged before its last call.
     */
    double cost(long now) {
        return (held + (double) (now - from) * (started - ended)) / Math.max(1, timed());
    }
}
