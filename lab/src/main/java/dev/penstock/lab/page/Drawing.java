package dev.penstock.lab.page;

import dev.penstock.lab.report.Tradeoff.Place;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The frame of points and curves: its axes, and the position of values. As in {@link PlotSvg}, horizontal positions are
 * percentages.
 *
 * @param x the horizontal axis
 * @param y the vertical axis
 */
record Drawing(Axis x, Axis y) {
    static final int HEIGHT = 320;
    private static final int ACROSS = 1000;

    /** Opens it and draws its axes; {@link #close} ends it. */
    void open(Html html, String id, String upwards, String across, String description) {
        html.open("div", "class", "grid").open("figure", "class", "plot main", "id", id);
        html.open("figcaption").element("h4", upwards);
        html.element("span", "x axis: " + across + (x.logarithmic() ? ", logarithmic" : ""), "class", "unit");
        html.close().open("div", "class", "frame");
        String height = String.valueOf(HEIGHT);
        html.open("svg", "class", "static", "role", "img", "height", height, "aria-labelledby", id + "-desc");
        html.element("desc", description, "id", id + "-desc");
        axes(html);
    }

    void close(Html html) {
        html.close(4).line();
    }

    private void axes(Html html) {
        for (Axis.Tick tick : y.ticks()) {
            String at = up(tick.value());
            html.shape("line", "class", "grid", "x1", "0", "x2", "100%", "y1", at, "y2", at);
            html.element("text", tick.label(), "class", "tick up", "x", "-8", "y", at);
        }
        for (Axis.Tick tick : x.ticks()) {
            html.element(
                    "text",
                    tick.label(),
                    "class",
                    "tick across",
                    "x",
                    across(tick.value()),
                    "y",
                    String.valueOf(HEIGHT + 18));
        }
        String foot = String.valueOf(HEIGHT);
        html.shape("line", "class", "base", "x1", "0", "x2", "100%", "y1", foot, "y2", foot);
    }

    /** Draws the part of a curve within the axes. */
    void curve(Html html, String look, List<Place> curve) {
        String path = curve.stream()
                .filter(place -> place.x() >= x.low() && place.x() <= x.high())
                .filter(place -> place.y() >= y.low() && place.y() <= y.high())
                .map(place -> PageNumbers.place(ACROSS * x.share(place.x())) + " " + up(place.y()))
                .collect(Collectors.joining("L", "M", ""));
        if (path.length() > 1) {
            html.open(
                    "svg",
                    "class",
                    "area",
                    "viewBox",
                    "0 0 " + ACROSS + " " + HEIGHT,
                    "preserveAspectRatio",
                    "none",
                    "width",
                    "100%",
                    "height",
                    String.valueOf(HEIGHT));
            html.shape("path", "class", look, "d", path).close();
        }
    }

    /** The horizontal position of a value, in percent. */
    String across(double value) {
        return PageNumbers.percent(x.share(value));
    }

    /** The vertical position of a value, in pixels from the top. */
    String up(double value) {
        return PageNumbers.place(fromTop(value));
    }

    double fromTop(double value) {
        return HEIGHT * (1 - y.share(value));
    }
}
