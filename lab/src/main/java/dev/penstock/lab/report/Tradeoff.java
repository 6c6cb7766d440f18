package dev.penstock.lab.report;

import java.util.List;

/**
 * Two figures of which one can be had for the other: each contestant of a course is a point, and theory has a curve.
 *
 * @param across the key of the metric across
 * @param upwards the key of the metric upwards
 * @param beside the keys of further metrics that its table shows
 * @param theory what the curve is, in one line for people
 * @param curve its places, from left to right
 */
public record Tradeoff(String across, String upwards, List<String> beside, String theory, List<Place> curve) {
    /**
     * A place on the curve.
     *
     * @param x a value of the metric across
     * @param y a value of the metric upwards
     */
    public record Place(double x, double y) {}

    /** Copies the lists. */
    public Tradeoff {
        beside = List.copyOf(beside);
        curve = List.copyOf(curve);
    }
}
