package dev.penstock.lab.probe.fit;

/**
 * One measurement.
 *
 * @param atOnce calls at once, 1 or more
 * @param perSecond right answers a second, above 0
 * @param weight how much it says, above 0: for instance how many calls it rests on
 */
public record Sample(double atOnce, double perSecond, double weight) {
    /** Checks the ranges. */
    public Sample {
        if (!(atOnce >= 1 && perSecond > 0 && weight > 0)
                || Double.isInfinite(perSecond)
                || Double.isInfinite(weight)
                || Double.isInfinite(atOnce)) {
            throw new IllegalArgumentException(
                    "a sample is 1 or more at once, and more than 0 a second with more than no weight, not %s, %s, %s"
                            .formatted(atOnce, perSecond, weight));
        }
    }
}
