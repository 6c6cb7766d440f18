package dev.penstock.lab.probe;

import java.util.List;

/**
 * Whether one call with many items costs less than one call per item.
 *
 * @param points the measurements, by size
 * @param pays whether batching pays, by a significant amount
 * @param best the size beyond which more items save little; 1 when batching does not pay
 * @param why the evidence, in one sentence with its numbers
 */
public record BatchFinding(List<Point> points, boolean pays, int best, String why) {
    /**
     * One batch size.
     *
     * @param items items per call
     * @param callMillis the median time of a call
     * @param perItemMillis the median time per item
     */
    public record Point(int items, double callMillis, double perItemMillis) {}

    public BatchFinding {
        points = List.copyOf(points);
    }
}
