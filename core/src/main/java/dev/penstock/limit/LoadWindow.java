package dev.penstock.limit;

/**
 * What attempts cost while the same number of permits was in use all the time: the time for which permits were out for each useful
 * answer, what was spent on dropped attempts included.
 *
 * <p>By Little's law (in flight = rate x time), so many in flight at this cost each are {@code inFlight / cost} useful
 * answers a second. Measured like this, rather than by counting answers, a rate is not blurred by attempts that happen to
 * end together just before or after the window does.
 *
 * <p>Pure; not safe for many threads.
 */
final class LoadWindow {
    private static final double LEAST_DOUBT = 2.5e-5;

    private long nanos;
    private double answered;
    private double finished;
    private double spent;
    private double answeredSquared;
    private double spentSquared;
    private double product;

    void add(LoadSample sample) {
        double answers = sample.answered();
        double time = sample.heldNanos();
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

    /** How long it is. */
    long nanos() {
        return nanos;
    }

    double answered() {
        return answered;
    }

    /** How many attempts ended in it, answered or dropped. */
    double finished() {
        return finished;
    }

    /** Nanoseconds at the target for each useful answer; there has to be one. */
    double cost() {
        return spent / answered;
    }

    /**
     * The variance of the logarithm of {@link #cost()}: its squared relative error. The stretches that make up the window
     * are taken as independent draws of a ratio (the ratio estimator of survey sampling; Cochran, Sampling Techniques,
     * section 2.11), with a floor of half a percent, as no target is that even.
     */
    double doubt() {
        double cost = cost();
        double squares = spentSquared - 2 * cost * product + cost * cost * answeredSquared;
        return LEAST_DOUBT + Math.max(0, squares) / (spent * spent);
    }
}
