package dev.penstock.lab.page;

import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.ProbeNote.Knee;
import dev.penstock.lab.report.ProbeNote.Point;
import java.util.stream.Collectors;

/**
 * Plots throughput by concurrency: the measurements as points, the fitted curves, and the knee with its confidence
 * interval. Points with errors are crosses, so that colour is not needed to distinguish them.
 */
final class KneePlot {
    /** Points with a larger share of errors are crosses. */
    private static final double MANY_ERRORS = 0.03;

    private static final String TITLE = "throughput per second";
    private static final String ACROSS = "concurrent calls";

    private final String id;
    private final Knee knee;
    private final Drawing drawing;

    KneePlot(String id, Knee knee) {
        this.id = id;
        this.knee = knee;
        double most = knee.points().stream().mapToDouble(Point::atOnce).max().orElse(1);
        double top = knee.points().stream().mapToDouble(Point::perSecond).max().orElse(1);
        this.drawing = new Drawing(Axis.fitting(1, Math.max(2, most)), Axis.fromZero(1.05 * top));
    }

    void draw(Html html) {
        html.element("h3", "Throughput by concurrency");
        html.element("p", key(), "class", "note");
        drawing.open(html, id, TITLE, ACROSS, description());
        if (knee.reached()) {
            mark(html);
        }
        knee.lines().forEach(line -> drawing.curve(html, line.chosen() ? "fitted" : "theory", line.places()));
        knee.points().forEach(point -> point(html, point));
        drawing.close(html);
    }

    private String key() {
        String lines = knee.lines().stream()
                .map(line -> (line.chosen() ? "Solid: " : "Dashed: ") + name(line) + ", " + line.formula() + ".")
                .collect(Collectors.joining(" "));
        boolean withErrors = knee.points().stream().anyMatch(KneePlot::hasErrors);
        return lines
                + (knee.reached()
                        ? " Vertical line: the knee; shaded: its 95 % confidence interval."
                        : " The knee was not reached.")
                + (withErrors ? " Crosses: more than 3 % errors, not in the fit." : "");
    }

    private static String name(ProbeNote.Line line) {
        return line.name().equals("usl") ? "universal scalability law" : line.name();
    }

    private String description() {
        String points = knee.points().stream().map(KneePlot::describe).collect(Collectors.joining("; "));
        String where = knee.reached()
                ? "The knee is at %s, 95 %% confidence interval %s to %s. "
                        .formatted(
                                PageNumbers.number(knee.at()),
                                PageNumbers.number(knee.low()),
                                PageNumbers.number(knee.high()))
                : "The knee was not reached. ";
        return where + "Measured: " + points + ".";
    }

    private static String describe(Point point) {
        return "%d concurrent calls: %s/s, mean %s ms%s"
                .formatted(
                        point.atOnce(),
                        PageNumbers.number(point.perSecond()),
                        PageNumbers.number(point.meanMs()),
                        point.errorShare() > 0
                                ? ", %s %% errors".formatted(PageNumbers.number(100 * point.errorShare()))
                                : "");
    }

    private static boolean hasErrors(Point point) {
        return point.errorShare() > MANY_ERRORS;
    }

    private void mark(Html html) {
        double low = drawing.x().share(knee.low());
        double high = drawing.x().share(knee.high());
        html.shape(
                "rect",
                "class",
                "interval",
                "x",
                PageNumbers.percent(low),
                "y",
                "0",
                "width",
                PageNumbers.percent(Math.max(0, high - low)),
                "height",
                String.valueOf(Drawing.HEIGHT));
        String at = drawing.across(knee.at());
        html.shape("line", "class", "knee", "x1", at, "x2", at, "y1", "0", "y2", String.valueOf(Drawing.HEIGHT));
        html.element("text", "knee " + PageNumbers.number(knee.at()), "class", "band", "x", at, "y", "-8");
    }

    private void point(Html html, Point point) {
        String across = drawing.across(point.atOnce());
        String up = drawing.up(point.perSecond());
        if (hasErrors(point)) {
            html.open("svg", "class", "over", "x", across, "y", up);
            html.element("title", describe(point));
            html.shape("path", "class", "erring", "d", "M-4 -4L4 4M-4 4L4 -4").close();
        } else {
            html.open("circle", "class", "point measured", "cx", across, "cy", up, "r", "3.5");
            html.element("title", describe(point)).close();
        }
    }
}
