package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The plot of latency distributions: percentile on the x axis, where each decade towards 100 has the same length;
 * latency on the y axis.
 */
final class Percentiles {
    private static final String TITLE = "Latency by percentile";

    private Percentiles() {}

    /** The plot of a course; empty without latencies. */
    static Optional<Plot> of(CourseView course) {
        List<PlotLine> lines = new ArrayList<>();
        double most = 0;
        for (int i = 0; i < course.contestants().size(); i++) {
            Contestant contestant = course.contestants().get(i);
            Map<Double, Double> curve = curve(contestant.percentiles());
            if (!curve.isEmpty()) {
                List<Double> percents = List.copyOf(curve.keySet());
                List<Double> values = List.copyOf(curve.values());
                most = Math.max(most, percents.getLast());
                lines.add(new PlotLine(
                        course.single() ? TITLE : contestant.name(),
                        course.styles().get(i),
                        i,
                        course.isOurs(i),
                        percents,
                        values));
            }
        }
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new Plot(
                        course.id() + "-percentiles",
                        TITLE,
                        "ms",
                        true,
                        false,
                        Axis.percentiles(most),
                        "percentile",
                        lines,
                        List.of()));
    }

    /** In ascending order; keys that are not numbers between 0 and 100 are omitted. */
    private static Map<Double, Double> curve(Map<String, Double> percentiles) {
        Map<Double, Double> curve = new TreeMap<>();
        percentiles.forEach((percent, ms) -> {
            double at = percent(percent);
            if (at >= 0 && at < 100 && PlotLine.isKnown(ms)) {
                curve.put(at, ms);
            }
        });
        return curve;
    }

    private static double percent(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
