package dev.penstock.lab.compare.check;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import java.util.Comparator;
import java.util.List;

/**
 * What the times of one row obey: percentiles rise, the mean is between what they allow, and a percentile needs samples.
 *
 * <p>At least (100 - q) % of all samples take at least the q-th percentile, so the mean is at least that share of it; and as
 * at most (100 - q) % are beyond it, the mean is at most q % of it and the rest of the maximum (Markov's inequality, both
 * ways). Where percentiles are interpolated, the share is off by up to one sample.
 */
final class TimeChecks {
    /** A percentile of a row. */
    private record Point(String key, String title, double share) {}

    private static final List<Point> POINTS = List.of(
            new Point("min_ms", "min", 0),
            new Point("p50_ms", "p50", 0.5),
            new Point("p90_ms", "p90", 0.9),
            new Point("p95_ms", "p95", 0.95),
            new Point("p99_ms", "p99", 0.99),
            new Point("p999_ms", "p99.9", 0.999),
            new Point("max_ms", "max", 1));

    /** The sliding window that JMeter's listeners take percentiles from. */
    private static final long WINDOW = 20_000;

    private static final double SAMPLES_WHEN_NOT_TOLD = 100;
    private static final double ALMOST = 1e-9;

    private final ResultRow row;
    private final Findings findings;
    private final List<Point> points;

    private TimeChecks(ResultRow row, Findings findings) {
        this.row = row;
        this.findings = findings;
        points = POINTS.stream().filter(point -> row.has(point.key())).toList();
    }

    static void look(ResultRow row, Findings findings) {
        TimeChecks laws = new TimeChecks(row, findings);
        laws.order();
        laws.points.stream().filter(laws::isPercentile).forEach(laws::zero);
        laws.points.stream().filter(laws::isPercentile).forEach(laws::samples);
        if (row.has("mean_ms")) {
            laws.mean();
        }
    }

    private void order() {
        List<Point> told = points.stream().filter(point -> !isEmpty(point)).toList();
        for (int i = 1; i < told.size(); i++) {
            Point lower = told.get(i - 1);
            Point upper = told.get(i);
            if (of(lower).low() > of(upper).high() + ALMOST) {
                findings.impossible(row, words(lower) + " is above " + words(upper));
            }
        }
    }

    /** A column of zeros was not computed. */
    private void zero(Point point) {
        if (!isEmpty(point)) {
            return;
        }
        String text = point.title() + " is 0";
        Point below = points.stream()
                .filter(other -> other.share() < point.share()
                        && of(other).low() > of(point).high())
                .findFirst()
                .orElse(null);
        if (below != null) {
            findings.impossible(row, text + " though " + words(below) + ": it was not computed");
        } else if (row.has("mean_ms") && row.get("mean_ms").low() > of(point).high()) {
            String though = text + " though the mean is " + row.get("mean_ms") + " ms: it was not computed";
            double most =
                    (1 - point.share()) * (row.has("max_ms") ? row.get("max_ms").high() : Double.MAX_VALUE);
            if (row.get("mean_ms").low() > most) {
                findings.impossible(row, though);
            } else {
                findings.suspicious(row, though);
            }
        }
    }

    private void samples(Point point) {
        long needed = Latency.samplesFor(100 * point.share());
        if (row.has("count")
                && !isEmpty(point)
                && row.get("count").high() < needed
                && row.get("count").value() > 0) {
            findings.suspicious(
                    row,
                    point.title() + " is told of " + row.get("count") + " samples, and needs " + Figures.count(needed)
                            + ": with fewer it is one of the largest by chance");
        }
    }

    /** Of all that bound the mean, what bounds it most. */
    private void mean() {
        PrintedNumber mean = row.get("mean_ms");
        List<Point> told = points.stream().filter(point -> !isEmpty(point)).toList();
        told.stream()
                .max(Comparator.comparingDouble(this::least))
                .filter(point -> mean.high() < least(point) - ALMOST)
                .ifPresent(point -> contradiction(
                        point,
                        "the mean of " + mean + " ms is too low for " + words(point) + ": it is at least "
                                + Figures.number(least(point)) + " ms"));
        if (row.has("max_ms")) {
            told.stream()
                    .min(Comparator.comparingDouble(this::most))
                    .filter(point -> mean.low() > most(point) + ALMOST)
                    .ifPresent(point -> contradiction(
                            point,
                            "the mean of " + mean + " ms is too high for "
                                    + (isPercentile(point) ? words(point) + " and " : "") + words(POINTS.getLast())
                                    + ": it is at most " + Figures.number(most(point)) + " ms"));
        }
    }

    private double least(Point point) {
        double above = point.share() == 0 ? 1 : Math.max(0, 1 - point.share() - oneSample());
        return above * of(point).low()
                + (1 - above) * (row.has("min_ms") ? row.get("min_ms").low() : 0);
    }

    private double most(Point point) {
        double below = point.share() == 1 ? 1 : Math.max(0, point.share() - oneSample());
        return below * of(point).high() + (1 - below) * row.get("max_ms").high();
    }

    private double oneSample() {
        return 1 / (row.has("count") ? Math.max(1, row.get("count").high()) : SAMPLES_WHEN_NOT_TOLD);
    }

    /** JMeter takes its percentiles from the last samples only, so these need not go with the mean of all. */
    private void contradiction(Point point, String text) {
        if (isPercentile(point) && row.has("count") && row.get("count").value() > WINDOW) {
            findings.suspicious(
                    row,
                    text + ", unless the percentile is of the last " + Figures.count(WINDOW)
                            + " samples only, as in listeners of JMeter");
        } else {
            findings.impossible(row, text);
        }
    }

    private boolean isPercentile(Point point) {
        return point.share() > 0 && point.share() < 1;
    }

    /** Printed as 0 beside times that are not: told of on its own. */
    private boolean isEmpty(Point point) {
        return isPercentile(point) && of(point).value() == 0;
    }

    private PrintedNumber of(Point point) {
        return row.get(point.key());
    }

    private String words(Point point) {
        return point.title() + " " + of(point) + " ms";
    }
}
