package dev.penstock.lab.probe;

import java.util.List;

/**
 * Whether many items in one call are cheaper than a call each.
 *
 * @param points what was measured, by size
 * @param pays whether they are, beyond doubt
 * @param best the size from which on more items save little; 1 when it does not pay
 * @param why what it rests on, in one sentence with its numbers
 */
public record BatchFinding(List<Point> points, boolean pays, int best, String why) {
    /**
     * One size.
     *
     * @param items in one call
     * @param callMillis the median time of a call
     * @param perItemMillis the same by item
     */
    public record Point(int items, double callMillis, double perItemMillis) {}

    /** Copies the list. */
    public BatchFinding {
        points = List.copyOf(points);
    }
}
