package dev.penstock.lab.page;

import dev.penstock.lab.page.EndLabels.EndLabel;
import dev.penstock.lab.page.EndLabels.PlacedLabel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Draws a plot as SVG.
 * <h2>Design note</h2>
 *
 * <p>Horizontal positions are percentages and vertical positions are pixels, so a plot fits any width while texts and
 * line widths keep their size. Only the lines are in an inner drawing that is stretched horizontally, with non-scaling
 * strokes. Labels around the plot area overflow into the padding reserved by page.css.
 */
final class PlotSvg {
    /** Integer units of the inner drawing, which keep the page small. */
    private static final int ACROSS = 1000;

    private static final int ACROSS_WHEN_SMALL = 400;
    private static final double LABEL_GAP = 13;
    private static final int LABELS_WHEN_SMALL = 4;
    private static final int LETTERS = 22;
    private static final int LETTERS_WHEN_SMALL = 15;

    /** Labels of bands closer together than this share of the width would overlap. */
    private static final double BAND_LABEL_ROOM = 0.1;

    private final Html html;
    private final Plot plot;
    private final Axis y;
    private final int height;
    private final int across;
    private final int unitsPerPixel;

    private PlotSvg(Html html, Plot plot) {
        this.html = html;
        this.plot = plot;
        this.y = plot.y();
        this.height = plot.height();
        this.across = plot.main() ? ACROSS : ACROSS_WHEN_SMALL;
        this.unitsPerPixel = plot.main() ? 2 : 1;
    }

    /** Adds the plot with its heading. */
    static void draw(Html html, Plot plot) {
        new PlotSvg(html, plot).figure();
    }

    private void figure() {
        html.open("figure", "class", plot.main() ? "plot main" : "plot", "id", plot.id());
        html.open("figcaption").element("h4", plot.title());
        html.element("span", unit(), "class", "unit").close();
        html.open("div", "class", "frame");
        String title = plot.id() + "-title";
        String description = plot.id() + "-desc";
        html.open(
                "svg",
                "class",
                "static",
                "role",
                "img",
                "height",
                String.valueOf(height),
                "aria-labelledby",
                title + " " + description);
        html.element("title", plot.title() + (unit().isEmpty() ? "" : ", " + unit()), "id", title);
        html.element("desc", plot.description(), "id", description);
        bands();
        axes();
        lines();
        ends();
        html.close(3).line();
    }

    private String unit() {
        return y.logarithmic() ? (plot.unit() + ", logarithmic") : plot.unit();
    }

    private void bands() {
        double lastLabel = Double.NEGATIVE_INFINITY;
        for (Plot.Band band : plot.bands()) {
            double from = plot.x().share(band.from());
            double to = plot.x().share(band.to());
            html.shape(
                    "rect",
                    "class",
                    band.hatched() ? "warm" : "fault",
                    "x",
                    PageNumbers.percent(from),
                    "y",
                    "0",
                    "width",
                    PageNumbers.percent(Math.max(to - from, 0.002)),
                    "height",
                    String.valueOf(height));
            double middle = (from + to) / 2;
            if (middle - lastLabel >= BAND_LABEL_ROOM) {
                lastLabel = middle;
                html.element("text", band.kind(), "class", "band", "x", PageNumbers.percent(middle), "y", "-6");
            }
        }
    }

    private void axes() {
        for (Axis.Tick tick : y.ticks()) {
            html.element("text", tick.label(), "class", "tick up", "x", "-8", "y", up(tick.value()));
        }
        String foot = String.valueOf(height);
        for (Axis.Tick tick : plot.x().ticks()) {
            String at = PageNumbers.percent(plot.x().share(tick.value()));
            html.element("text", tick.label(), "class", "tick across", "x", at, "y", String.valueOf(height + 18));
        }
        html.shape("line", "class", "base", "x1", "0", "x2", "100%", "y1", foot, "y2", foot);
    }

    private void lines() {
        html.open(
                "svg",
                "class",
                "area",
                "viewBox",
                "0 0 " + across + " " + unitsPerPixel * height,
                "preserveAspectRatio",
                "none",
                "width",
                "100%",
                "height",
                String.valueOf(height));
        html.shape("path", "class", "grid", "d", grid());
        plot.lines().stream().sorted(Comparator.comparing(PlotLine::ours)).forEach(this::line);
        html.close();
    }

    /** All horizontal lines in one path, because there are many plots on a page. */
    private String grid() {
        return y.ticks().stream()
                .map(tick -> "M0 " + Math.round(unitsPerPixel * fromTop(tick.value())) + "h" + across)
                .collect(Collectors.joining());
    }

    /** Lines of small plots have no title: the legend and the end labels name them. */
    private void line(PlotLine line) {
        html.open(
                "path",
                "class",
                "line " + line.look().css(),
                "data-c",
                String.valueOf(line.contestant()),
                "d",
                path(line));
        if (plot.main()) {
            html.element("title", line.label());
        }
        html.close();
    }

    /** One segment per run of known values; a single value becomes a dot, because strokes have round ends. */
    private String path(PlotLine line) {
        StringBuilder path = new StringBuilder();
        boolean drawing = false;
        long lastX = 0;
        long lastY = 0;
        for (int i = 0; i < line.xs().size(); i++) {
            Double value = line.ys().get(i);
            if (!PlotLine.isKnown(value)) {
                drawing = false;
                continue;
            }
            long x = Math.round(across * plot.x().share(line.xs().get(i)));
            long y = Math.round(unitsPerPixel * fromTop(value));
            path.append(drawing ? " " : "M").append(drawing ? x - lastX : x);
            long up = drawing ? y - lastY : y;
            path.append(up < 0 ? "" : " ").append(up).append(drawing ? "" : "l0 0");
            drawing = true;
            lastX = x;
            lastY = y;
        }
        return path.toString();
    }

    private void ends() {
        if (plot.lines().getFirst().label().equals(plot.title())) {
            return;
        }
        List<EndLabel> labels = new ArrayList<>();
        for (PlotLine line : inRank()) {
            Double last = line.last();
            if (last != null) {
                labels.add(new EndLabel(line, fromTop(last), labels.size()));
            }
        }
        html.open("svg", "class", "ends", "x", "100%", "width", "1", "height", String.valueOf(height));
        int most = plot.main() ? Integer.MAX_VALUE : LABELS_WHEN_SMALL;
        for (PlacedLabel placed : EndLabels.place(labels, height, LABEL_GAP, most)) {
            label(placed);
        }
        html.close();
    }

    /** Ours first, then the lines that end furthest from it. */
    private List<PlotLine> inRank() {
        List<PlotLine> ranked = new ArrayList<>(plot.lines());
        Double middle = ranked.stream()
                .filter(PlotLine::ours)
                .findFirst()
                .map(PlotLine::last)
                .orElse(null);
        double from = middle == null ? 0 : fromTop(middle);
        ranked.sort(Comparator.comparing((PlotLine line) -> !line.ours())
                .thenComparingDouble(line -> -distance(line.last(), from)));
        return ranked;
    }

    private double distance(@Nullable Double last, double from) {
        return last == null ? 0 : Math.abs(fromTop(last) - from);
    }

    private void label(PlacedLabel placed) {
        EndLabel label = placed.label();
        PlotLine line = label.line();
        html.open("g", "data-c", String.valueOf(line.contestant()));
        html.shape(
                "path",
                "class",
                "leader " + line.look().css(),
                "d",
                "M3," + PageNumbers.place(label.end()) + "L11," + PageNumbers.place(placed.y()));
        html.element(
                "text",
                shortened(line.label()),
                "class",
                line.ours() ? "end ours" : "end",
                "x",
                "15",
                "y",
                PageNumbers.place(placed.y()));
        html.close();
    }

    private String shortened(String name) {
        int most = plot.main() ? LETTERS : LETTERS_WHEN_SMALL;
        return name.length() <= most ? name : name.substring(0, most - 1) + "…";
    }

    private String up(double value) {
        return PageNumbers.place(fromTop(value));
    }

    private double fromTop(double value) {
        return height * (1 - y.share(value));
    }
}
