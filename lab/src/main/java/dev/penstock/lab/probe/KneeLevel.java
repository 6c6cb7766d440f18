package dev.penstock.lab.probe;

/**
 * What to measure next.
 *
 * @param atOnce calls at once
 * @param warmUp seconds before anything counts
 * @param lasting seconds that count
 */
public record KneeLevel(int atOnce, double warmUp, double lasting) {
    /** How long it takes in all, in seconds. */
    public double whole() {
        return warmUp + lasting;
    }
}
