package dev.penstock.limit;

/**
 * The cost of an answer at a constant number of permits in use: the time that permits are held per useful answer, including
 * the time spent on dropped attempts.
 *
 * <p>By Little's law (in flight = rate x time), the rate of useful answers is {@code inFlight / cost}. Unlike a count of
 * answers, this rate is not distorted by attempts that end together just before or after the end of the window.
 *
 * <p>No side effects; not thread-safe.
 */
final class LoadWindow {
    private static final double MIN_VARIANCE = 2.5e-5;
    private static final int MIN_ATTEMPTS = 20;
    private static final int ENOUGH_ANSWERS = 500;
    private static final double MIN_NANOS = 250e6;
    private static final double MAX_NANOS = 1e9;

    /** The error that is small enough, as a share of the expected change, and the change expected at an equal limit. */
    private static final double PRECISION = 0.3;

    private static final double LEAST_CHANGE = 0.04;

    private long nanos;
    private double answered;
    private double finished;
    private double spent;
    private double answeredSquared;
    private double spentSquared;
    private double product;

    private double noise = 0.05;
    private int lastPermits;
    private double lastVariance;

    void add(LoadSample sample) {
        double answers = sample.answered();
        double time = sample.permitNanos();
        nanos += sample.to() - sample.from();
        answered += answers;
        finished += answers + sample.dropped();
        spent += time;
        answeredSquared += answers * answers;
        spentSquared += time * time;
        product += answers * time;
    }

    void clear() {
        nanos = 0;
        answered = 0;
        finished = 0;
        spent = 0;
        answeredSquared = 0;
        spentSquared = 0;
        product = 0;
    }

    /** Records the error of this window, and its limit: the next window is compared with it. */
    void end(int permits) {
        lastPermits = permits;
        lastVariance = variance();
    }

    /** Includes the error of this window in the {@link #noise()}. */
    void recordNoise() {
        noise += (Math.sqrt(variance()) - noise) * 0.2;
    }

    /** The next window is not compared with the last one. */
    void forgetLast() {
        lastPermits = 0;
    }

    /**
     * Whether the error is small compared with the expected difference from the last window, or the window has taken too long.
     *
     * @param permits the number of permits in use
     * @param times the times of calls
     */
    boolean isComplete(int permits, TargetTimes times) {
        if (answered == 0
                || finished < MIN_ATTEMPTS
                || nanos < Math.max(times.typicalNanos(), times.nanos())
                || (nanos < MIN_NANOS && answered < ENOUGH_ANSWERS)) {
            return false;
        }
        double change =
                lastPermits == 0 || lastPermits == permits ? LEAST_CHANGE : Math.log((double) permits / lastPermits);
        return variance() + lastVariance < PRECISION * PRECISION * change * change
                || nanos >= Math.max(MAX_NANOS, 2 * times.typicalNanos());
    }

    /** The number of permits in the last window; 0 when there was none. */
    int lastPermits() {
        return lastPermits;
    }

    /** The moving average of the relative error of windows. */
    double noise() {
        return noise;
    }

    /** The length of the window in turns of a second: half for a short one. */
    double turns() {
        return nanos < MAX_NANOS / 2 ? 0.5 : 1;
    }

    /** The length of the window. */
    long nanos() {
        return nanos;
    }

    double answered() {
        return answered;
    }

    /** Nanoseconds of held permits per useful answer; requires at least one answer. */
    double cost() {
        return spent / answered;
    }

    /**
     * The variance of the logarithm of {@link #cost()}: its squared relative error. The samples in the window are taken as
     * independent draws of a ratio (the ratio estimator of survey sampling; Cochran, Sampling Techniques, section 2.11). The
     * floor is a relative error of half a percent, since no target is more even than that.
     */
    double variance() {
        double cost = cost();
        double squares = spentSquared - 2 * cost * product + cost * cost * answeredSquared;
        return MIN_VARIANCE + Math.max(0, squares) / (spent * spent);
    }
}
