package dev.penstock.lab.probe;

/**
 * The next level to measure.
 *
 * @param concurrency concurrent calls
 * @param warmUp seconds of warm-up, which do not count
 * @param lasting measured seconds
 */
public record KneeLevel(int concurrency, double warmUp, double lasting) {
    /** The total time, in seconds. */
    public double whole() {
        return warmUp + lasting;
    }
}
