package dev.penstock.lab.report;

import java.util.List;

/**
 * Two metrics that trade off against each other: each contestant of a course is a point, and theory predicts a curve.
 *
 * @param across the key of the metric on the x axis
 * @param upwards the key of the metric on the y axis
 * @param beside the keys of further metrics in its table
 * @param theory the curve, in one readable line
 * @param curve its points, left to right
 */
public record Tradeoff(String across, String upwards, List<String> beside, String theory, List<Place> curve) {
    /**
     * A point of the curve.
     *
     * @param x a value of the metric on the x axis
     * @param y a value of the metric on the y axis
     */
    public record Place(double x, double y) {}

    public Tradeoff {
        beside = List.copyOf(beside);
        curve = List.copyOf(curve);
    }
}
