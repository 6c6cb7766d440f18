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

    private long nanos;
    private double answered;
    private double finished;
    private double spent;
    private double answeredSquared;
    private double spentSquared;
    private double product;

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

    /** The length of the window. */
    long nanos() {
        return nanos;
    }

    double answered() {
        return answered;
    }

    /** The number of attempts that ended in the window, answered or dropped. */
    double finished() {
        return finished;
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
