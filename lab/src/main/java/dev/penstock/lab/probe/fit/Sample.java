package dev.penstock.lab.probe.fit;

/**
 * One measurement.
 *
 * @param concurrency concurrent calls, 1 or more
 * @param throughput successful answers per second, above 0
 * @param weight relative weight in the fit, above 0: for instance the number of calls
 */
public record Sample(double concurrency, double throughput, double weight) {
    /** Checks the ranges. */
    public Sample {
        if (!(concurrency >= 1 && throughput > 0 && weight > 0)
                || Double.isInfinite(throughput)
                || Double.isInfinite(weight)
                || Double.isInfinite(concurrency)) {
            throw new IllegalArgumentException(
                    "a sample needs concurrency >= 1, throughput > 0 and weight > 0, not %s, %s, %s"
                            .formatted(concurrency, throughput, weight));
        }
    }
}
