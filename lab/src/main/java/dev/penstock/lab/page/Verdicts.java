package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Metric;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The verdicts of a course: one line each, with the ratio's confidence interval on a logarithmic axis around 1. */
final class Verdicts {
    private static final int ROW = 24;
    private static final String MIDDLE = String.valueOf(ROW / 2);

    private final Html html;
    private final CourseView course;
    private final boolean oneOurs;

    private Verdicts(Html html, CourseView course) {
        this.html = html;
        this.course = course;
        this.oneOurs =
                course.verdicts().stream().map(Comparison::ours).distinct().count() == 1;
    }

    /** Adds the section; a sentence when there are no verdicts. */
    static void add(Html html, CourseView course) {
        html.element("h3", "Verdicts");
        if (course.verdicts().isEmpty()) {
            html.element("p", none(course), "class", "note");
            return;
        }
        new Verdicts(html, course).section();
    }

    /** The number of each verdict as badges, the good ones first. */
    static void tally(Html html, List<Comparison> verdicts) {
        Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
        verdicts.forEach(verdict -> counts.merge(verdict.verdict(), 1, Integer::sum));
        html.open("span", "class", "tally");
        for (Verdict verdict : List.of(Verdict.FASTER, Verdict.SAME, Verdict.INCONCLUSIVE, Verdict.SLOWER)) {
            Integer count = counts.get(verdict);
            if (count != null) {
                html.open("span", "class", css(verdict));
                sign(html, verdict);
                html.text(verdict.name()).element("b", String.valueOf(count)).close();
            }
        }
        html.close();
    }

    private static String none(CourseView course) {
        boolean compared = course.contestants().size() > 1;
        return compared ? "None: too few blocks for a verdict." : "None: there is no other contestant.";
    }

    private void section() {
        html.element(
                "p",
                "Ratios are ours / other, with 95 % confidence intervals. Grey bands: difference between two runs of the same contestant (A/A). An"
                        + " arrow: the interval extends further.",
                "class",
                "note");
        html.open("div", "class", "forests");
        for (String key : course.judged()) {
            metric(
                    Metric.of(key),
                    course.verdicts().stream()
                            .filter(verdict -> verdict.metric().equals(key))
                            .toList());
        }
        html.close();
    }

    private void metric(Metric metric, List<Comparison> verdicts) {
        RatioScale scale = RatioScale.of(verdicts);
        html.open("div", "class", "forest").open("div", "class", "forest-head");
        html.element("h4", metric.title());
        html.element("span", better(metric), "class", "unit");
        tally(html, verdicts);
        html.close();
        html.open(
                "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", metric.title() + " ratios");
        html.open("table", "class", "ratios").open("thead").open("tr");
        html.element("th", oneOurs ? verdicts.getFirst().ours() + " against" : "ours against", "scope", "col");
        html.element("th", "verdict", "scope", "col");
        html.open("th", "scope", "col", "class", "strip");
        ticks(scale, metric);
        html.close();
        html.element("th", "ratio", "scope", "col", "class", "number").close(2).open("tbody");
        Double noise = course.noise(metric.key());
        verdicts.forEach(verdict -> row(scale, verdict, noise));
        html.close(4).line();
    }

    private static String better(Metric metric) {
        return switch (metric.better()) {
            case LOWER -> "lower is better";
            case HIGHER -> "higher is better";
            case NEITHER -> "descriptive";
        };
    }

    private void ticks(RatioScale scale, Metric metric) {
        html.open(
                "svg",
                "height",
                "18",
                "role",
                "img",
                "aria-label",
                "logarithmic axis of ratios around 1; " + better(metric));
        for (double tick : scale.ticks()) {
            html.element("text", RatioScale.label(tick), "class", "tick across", "x", at(scale, tick), "y", "12");
        }
        html.close();
    }

    private void row(RatioScale scale, Comparison verdict, @Nullable Double noise) {
        html.open("tr");
        html.element("th", oneOurs ? verdict.other() : verdict.ours() + " / " + verdict.other(), "scope", "row");
        html.open("td").open("span", "class", css(verdict.verdict()));
        sign(html, verdict.verdict());
        html.text(verdict.verdict().name()).close(2);
        html.open("td", "class", "strip");
        strip(scale, verdict, noise);
        html.close();
        html.open("td", "class", "number").element("span", PageNumbers.ratio(verdict), "class", "figure");
        html.element("small", PageNumbers.interval(verdict)).close(2);
    }

    private void strip(RatioScale scale, Comparison verdict, @Nullable Double noise) {
        String height = String.valueOf(ROW);
        html.open(
                "svg",
                "class",
                "interval " + css(verdict.verdict()),
                "height",
                height,
                "role",
                "img",
                "aria-label",
                PageNumbers.ratio(verdict) + ", 95 % interval " + PageNumbers.interval(verdict));
        if (noise != null && noise > 0) {
            double most = 1 + noise / 100;
            double from = scale.share(1 / most);
            html.shape(
                    "rect",
                    "class",
                    "noise",
                    "x",
                    PageNumbers.percent(from),
                    "width",
                    PageNumbers.percent(scale.share(most) - from),
                    "height",
                    height);
        }
        for (double tick : scale.ticks()) {
            String x = at(scale, tick);
            html.shape("line", "class", tick == 1 ? "one" : "grid", "x1", x, "x2", x, "y1", "0", "y2", height);
        }
        if (!Double.isNaN(verdict.ratio())) {
            whisker(scale, verdict);
        }
        html.close();
    }

    private void whisker(RatioScale scale, Comparison verdict) {
        html.shape(
                "line",
                "class",
                "whisker",
                "x1",
                at(scale, verdict.low()),
                "x2",
                at(scale, verdict.high()),
                "y1",
                MIDDLE,
                "y2",
                MIDDLE);
        if (scale.isBelow(verdict.low())) {
            arrow("0", "M7,-4L1,0L7,4");
        }
        if (scale.isAbove(verdict.high())) {
            arrow("100%", "M-7,-4L-1,0L-7,4");
        }
        if (!scale.isBelow(verdict.ratio()) && !scale.isAbove(verdict.ratio())) {
            html.shape("circle", "class", "dot", "cx", at(scale, verdict.ratio()), "cy", MIDDLE, "r", "4.5");
        }
    }

    private void arrow(String x, String path) {
        html.open("svg", "x", x, "y", MIDDLE, "class", "over").shape("path", "class", "arrow", "d", path);
        html.close();
    }

    private static String at(RatioScale scale, double ratio) {
        return PageNumbers.percent(scale.share(ratio));
    }

    private static String css(Verdict verdict) {
        return switch (verdict) {
            case FASTER -> "verdict faster";
            case SLOWER -> "verdict slower";
            case SAME -> "verdict same";
            case INCONCLUSIVE -> "verdict open";
        };
    }

    private static void sign(Html html, Verdict verdict) {
        String sign = switch (verdict) {
            case FASTER -> "▲";
            case SLOWER -> "▼";
            case SAME -> "=";
            case INCONCLUSIVE -> "?";
        };
        html.element("i", sign, "aria-hidden", "true");
    }
}
