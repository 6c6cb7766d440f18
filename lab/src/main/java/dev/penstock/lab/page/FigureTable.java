package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Contestant.Spread;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.Metric.Better;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The metrics of a course: a table of contestants and metrics, or one tile per metric when there is one contestant. */
final class FigureTable {
    private static final String MANY_BLOCKS = "Medians of the blocks, with their minimum and maximum below.";
    private static final String ONE_BLOCK = "One block each.";

    private final Html html;
    private final CourseView course;
    private final List<Metric> shown;

    private FigureTable(Html html, CourseView course) {
        this.html = html;
        this.course = course;
        this.shown = course.shown().stream().map(Metric::of).toList();
    }

    /** Adds the section; a note when there are no metrics. */
    static void add(Html html, CourseView course) {
        FigureTable figures = new FigureTable(html, course);
        if (figures.shown.isEmpty()) {
            html.element("p", "No contestant has results.", "class", "note");
        } else if (course.single()) {
            figures.tiles(course.contestants().getFirst());
        } else {
            figures.table();
        }
    }

    /** Adds a badge with the role. */
    static void role(Html html, Role role) {
        String name = role.name().toLowerCase(Locale.ROOT);
        html.element("span", name, "class", "role " + name);
    }

    private void table() {
        Map<String, Double> best = bestPeers();
        html.element("h3", "Results");
        boolean blocks =
                course.contestants().stream().anyMatch(one -> one.blocks().size() > 1);
        html.open("p", "class", "note").text(blocks ? MANY_BLOCKS : ONE_BLOCK);
        if (!best.isEmpty()) {
            html.text(" ").element("b", "Bold").text(": the best peer of each column.");
        }
        html.close();
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Results");
        html.open("table", "class", "figures").open("thead").open("tr");
        html.element("th", "contestant", "scope", "col");
        shown.forEach(metric -> html.element("th", metric.title(), "scope", "col", "class", "number"));
        html.close(2).open("tbody");
        course.contestants().forEach(contestant -> row(contestant, best));
        html.close(3).line();
    }

    private void row(Contestant contestant, Map<String, Double> best) {
        html.open("tr", "class", contestant.role() == Role.OURS ? "ours" : null);
        html.open("th", "scope", "row").element("span", contestant.name(), "class", "name");
        role(html, contestant.role());
        html.close();
        for (Metric metric : shown) {
            Spread spread = contestant.metrics().get(metric.key());
            Double median = spread == null ? null : spread.median();
            boolean bold =
                    contestant.role() == Role.PEER && median != null && Objects.equals(best.get(metric.key()), median);
            html.open("td", "class", "number")
                    .element(bold ? "b" : "span", PageNumbers.figure(metric, median), "class", "figure");
            String range = spread == null ? null : range(metric, spread.min(), spread.max());
            if (range != null) {
                html.element("small", range);
            }
            html.close();
        }
        html.close();
    }

    /** The best median among peers, for each metric with a better direction and different peers' values. */
    private Map<String, Double> bestPeers() {
        Map<String, Double> best = new HashMap<>();
        for (Metric metric : shown) {
            DoubleSummaryStatistics medians = course.contestants().stream()
                    .filter(contestant -> contestant.role() == Role.PEER)
                    .map(contestant -> contestant.metrics().get(metric.key()))
                    .filter(Objects::nonNull)
                    .mapToDouble(Spread::median)
                    .filter(Double::isFinite)
                    .summaryStatistics();
            if (medians.getCount() > 1 && medians.getMax() > medians.getMin() && metric.better() != Better.NEITHER) {
                best.put(metric.key(), metric.better() == Better.LOWER ? medians.getMin() : medians.getMax());
            }
        }
        return best;
    }

    private void tiles(Contestant contestant) {
        html.element("h3", "Results");
        int slices = contestant.slices().size();
        if (slices > 1) {
            html.element(
                    "p", "Below each: minimum and maximum of " + slices + " equal parts of the run.", "class", "note");
        }
        html.open("dl", "class", "tiles");
        for (Metric metric : shown) {
            Spread spread = contestant.metrics().get(metric.key());
            html.open("div").element("dt", metric.title());
            html.open("dd")
                    .element(
                            "span",
                            PageNumbers.figure(metric, spread == null ? null : spread.median()),
                            "class",
                            "figure");
            String range = range(contestant, metric);
            if (range != null) {
                html.element("small", range);
            }
            html.close(2);
        }
        html.close().line();
    }

    /** Minimum to maximum over slices, or over blocks when there are several; null with fewer than two values. */
    private static @Nullable String range(Contestant contestant, Metric metric) {
        List<Map<String, Double>> parts = contestant.slices().size() > 1 ? contestant.slices() : contestant.blocks();
        DoubleSummaryStatistics values = parts.stream()
                .map(part -> part.get(metric.key()))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .filter(Double::isFinite)
                .summaryStatistics();
        return values.getCount() < 2 ? null : range(metric, values.getMin(), values.getMax());
    }

    /** Null when both ends have the same text. */
    private static @Nullable String range(Metric metric, double min, double max) {
        String from = PageNumbers.figure(metric, min);
        String to = PageNumbers.figure(metric, max);
        return from.equals(to) ? null : from + "–" + to;
    }
}
