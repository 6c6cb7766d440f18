package dev.penstock.lab.compare.check;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import java.util.Comparator;
import java.util.List;

/**
 * Invariants of the times of one row: percentiles are ascending, the mean is consistent with them, and a percentile
 * needs enough samples.
 *
 * <p>At least (100 - q) % of all samples are at or above the q-th percentile, so the mean is at least that share of it.
 * At most (100 - q) % are beyond it, so the mean is at most q % of it plus the remaining share of the maximum (Markov's
 * inequality, both ways). With interpolated percentiles, the share may be off by up to one sample.
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

    /** The sliding window of samples from which JMeter's listeners compute percentiles. */
    private static final long WINDOW = 20_000;

    private static final double DEFAULT_SAMPLES = 100;
    private static final double TOLERANCE = 1e-9;

    private final ResultRow row;
    private final Findings findings;
    private final List<Point> points;

    private TimeChecks(ResultRow row, Findings findings) {
        this.row = row;
        this.findings = findings;
        points = POINTS.stream().filter(point -> row.has(point.key())).toList();
    }

    static void check(ResultRow row, Findings findings) {
        TimeChecks checks = new TimeChecks(row, findings);
        checks.order();
        checks.points.stream().filter(checks::isPercentile).forEach(checks::zero);
        checks.points.stream().filter(checks::isPercentile).forEach(checks::samples);
        if (row.has("mean_ms")) {
            checks.mean();
        }
    }

    private void order() {
        List<Point> given = points.stream().filter(point -> !isEmpty(point)).toList();
        for (int i = 1; i < given.size(); i++) {
            Point lower = given.get(i - 1);
            Point upper = given.get(i);
            if (of(lower).low() > of(upper).high() + TOLERANCE) {
                findings.impossible(row, format(lower) + " is above " + format(upper));
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
            findings.impossible(row, text + " though " + format(below) + ": it was not computed");
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
                    point.title() + " of " + row.get("count") + " samples needs at least " + Figures.count(needed)
                            + ": with fewer it depends on a few of the largest by chance");
        }
    }

    /** Reports the tightest violated bound of the mean. */
    private void mean() {
        PrintedNumber mean = row.get("mean_ms");
        List<Point> given = points.stream().filter(point -> !isEmpty(point)).toList();
        given.stream()
                .max(Comparator.comparingDouble(this::least))
                .filter(point -> mean.high() < least(point) - TOLERANCE)
                .ifPresent(point -> contradiction(
                        point,
                        "the mean of " + mean + " ms is too low for " + format(point) + ": it must be at least "
                                + Figures.number(least(point)) + " ms"));
        if (row.has("max_ms")) {
            given.stream()
                    .min(Comparator.comparingDouble(this::most))
                    .filter(point -> mean.low() > most(point) + TOLERANCE)
                    .ifPresent(point -> contradiction(
                            point,
                            "the mean of " + mean + " ms is too high for "
                                    + (isPercentile(point) ? format(point) + " and " : "") + format(POINTS.getLast())
                                    + ": it must be at most " + Figures.number(most(point)) + " ms"));
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
        return 1 / (row.has("count") ? Math.max(1, row.get("count").high()) : DEFAULT_SAMPLES);
    }

    /** JMeter computes its percentiles from the last samples only, so they may not fit the mean of all. */
    private void contradiction(Point point, String text) {
        if (isPercentile(point) && row.has("count") && row.get("count").value() > WINDOW) {
            findings.suspicious(
                    row,
                    text + ", unless the percentile covers only the last " + Figures.count(WINDOW)
                            + " samples, as in JMeter listeners");
        } else {
            findings.impossible(row, text);
        }
    }

    private boolean isPercentile(Point point) {
        return point.share() > 0 && point.share() < 1;
    }

    /** Printed as 0 next to other times that are not 0: reported separately. */
    private boolean isEmpty(Point point) {
        return isPercentile(point) && of(point).value() == 0;
    }

    private PrintedNumber of(Point point) {
        return row.get(point.key());
    }

    private String format(Point point) {
        return point.title() + " " + of(point) + " ms";
    }
}
