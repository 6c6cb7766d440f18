package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Spread;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.Tradeoff;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Plots the two metrics of a {@link Tradeoff} against each other: a labelled point per contestant, and the theoretical
 * curve. As in {@link PlotSvg}, horizontal positions are percentages.
 */
final class TradeoffPlot {
    private static final double LABEL_GAP = 14;

    /** Labels of points closer together than this share of the width may overlap. */
    private static final double LABEL_ROOM = 0.16;

    private final CourseView course;
    private final Tradeoff tradeoff;
    private final List<Point> points;
    private final Drawing drawing;

    private record Point(Contestant contestant, int place, boolean ours, String look, double x, double y) {}

    private record Label(double share, double y) {}

    private TradeoffPlot(CourseView course, Tradeoff tradeoff, List<Point> points) {
        this.course = course;
        this.tradeoff = tradeoff;
        this.points = points;
        DoubleSummaryStatistics across = points.stream().mapToDouble(Point::x).summaryStatistics();
        this.drawing = new Drawing(
                Axis.fitting(across.getMin(), across.getMax()),
                Axis.fromZero(points.stream().mapToDouble(Point::y).max().orElse(1)));
    }

    /** The plot of a course; empty when it has no such metrics. */
    static Optional<TradeoffPlot> of(CourseView course) {
        Tradeoff tradeoff = course.note() == null ? null : course.note().tradeoff();
        if (tradeoff == null) {
            return Optional.empty();
        }
        List<Point> points = points(course, tradeoff);
        return points.isEmpty() ? Optional.empty() : Optional.of(new TradeoffPlot(course, tradeoff, points));
    }

    private static List<Point> points(CourseView course, Tradeoff tradeoff) {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < course.contestants().size(); i++) {
            Contestant contestant = course.contestants().get(i);
            Spread x = contestant.metrics().get(tradeoff.across());
            Spread y = contestant.metrics().get(tradeoff.upwards());
            if (x != null && y != null) {
                String look = course.styles().get(i).css();
                points.add(new Point(contestant, i, course.isOurs(i), look, x.median(), y.median()));
            }
        }
        return points;
    }

    void draw(Html html) {
        Metric across = Metric.of(tradeoff.across());
        Metric upwards = Metric.of(tradeoff.upwards());
        String id = course.id() + "-tradeoff";
        html.element("h3", upwards.title() + " against " + across.title());
        html.element("p", "Dashed: " + tradeoff.theory() + ".", "class", "note");
        drawing.open(html, id, upwards.title(), across.title(), description(across, upwards));
        drawing.curve(html, "theory", tradeoff.curve());
        points(html);
        drawing.close(html);
    }

    private String description(Metric across, Metric upwards) {
        return points.stream()
                .map(point -> point.contestant.name() + ": " + PageNumbers.number(point.x) + " " + across.title() + ", "
                        + PageNumbers.number(point.y) + " " + upwards.title() + ".")
                .collect(Collectors.joining(" "));
    }

    /** From top to bottom; a label that would cover another one moves down. */
    private void points(Html html) {
        List<Label> labels = new ArrayList<>();
        for (Point point : points.stream()
                .sorted(Comparator.comparingDouble(Point::y).reversed())
                .toList()) {
            double share = drawing.x().share(point.x);
            double at = drawing.fromTop(point.y);
            for (Label other : labels) {
                if (Math.abs(other.share - share) < LABEL_ROOM && at - other.y < LABEL_GAP) {
                    at = other.y + LABEL_GAP;
                }
            }
            labels.add(new Label(share, at));
            html.open("g", "data-c", String.valueOf(point.place));
            html.shape(
                    "circle",
                    "class",
                    (point.ours ? "point ours " : "point ") + point.look,
                    "cx",
                    PageNumbers.percent(share),
                    "cy",
                    drawing.up(point.y),
                    "r",
                    "4.5");
            html.open("svg", "class", "over", "x", PageNumbers.percent(share), "y", "0");
            html.element(
                    "text",
                    point.contestant.name(),
                    "class",
                    point.ours ? "end ours" : "end",
                    "x",
                    "10",
                    "y",
                    PageNumbers.place(at));
            html.close(2);
        }
    }
}
