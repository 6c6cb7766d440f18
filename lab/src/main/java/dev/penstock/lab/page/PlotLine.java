package dev.penstock.lab.page;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One line of a plot.
 *
 * @param label its name
 * @param look its style
 * @param contestant the index of its contestant in the course, for showing and hiding
 * @param ours whether it is drawn on top
 * @param xs in ascending order
 * @param ys one per x; null when unknown
 */
record PlotLine(
        String label,
        LineStyle look,
        int contestant,
        boolean ours,
        List<Double> xs,
        List<? extends @Nullable Double> ys) {
    /** Whether a value can be drawn. */
    static boolean isKnown(@Nullable Double value) {
        return value != null && Double.isFinite(value);
    }

    /** The smallest known value, or infinity. */
    double least() {
        return ys.stream()
                .filter(PlotLine::isKnown)
                .mapToDouble(Objects::requireNonNull)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /** The largest known value, or minus infinity. */
    double most() {
        return ys.stream()
                .filter(PlotLine::isKnown)
                .mapToDouble(Objects::requireNonNull)
                .max()
                .orElse(Double.NEGATIVE_INFINITY);
    }

    /** The last known value; null when there is none. */
    @Nullable
    Double last() {
        for (int i = ys.size() - 1; i >= 0; i--) {
            if (isKnown(ys.get(i))) {
                return ys.get(i);
            }
        }
        return null;
    }
}
