package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The plot of whole distributions: percentile across, each step towards 100 as long as the one before, latency upwards. */
final class Percentiles {
    private static final String TITLE = "Latency by percentile";

    private Percentiles() {}

    /** The plot of a course; empty when nothing was timed. */
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
                        course.looks().get(i),
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

    /** By rising percent; what is no number between 0 and 100 is left out. */
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
