package dev.penstock.lab.compare.check;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Invariants of the times of one row: percentiles are ascending, the mean is consistent with them, and a percentile
 * needs enough samples.
 *
 * <p>Of the samples, 40 % are between the 50th and the 90th percentile, and so on. The mean is lowest when all samples
 * between two percentiles equal the lower one, and highest when they equal the upper one. With interpolated percentiles,
 * each share may be off by up to one sample.
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
            if (row.get("mean_ms").low() > mostWithZero(point)) {
                findings.impossible(row, though);
            } else {
                findings.suspicious(row, though);
            }
        }
    }

    /**
     * The highest mean that a percentile of 0 permits. Without a maximum, one column of zeros may be true, but two were
     * hardly measured.
     */
    private double mostWithZero(Point point) {
        if (row.has("max_ms")) {
            return (1 - point.share()) * row.get("max_ms").high();
        }
        return points.stream().filter(this::isEmpty).count() > 1 ? 0 : Double.MAX_VALUE;
    }

    private void samples(Point point) {
        long needed = Latency.samplesFor(100 * point.share());
        if (row.has("count")
                && !isEmpty(point)
                && row.timed().high() < needed
                && row.timed().value() > 0) {
            findings.suspicious(
                    row,
                    point.title() + " of " + row.timed() + " samples needs at least " + Figures.count(needed)
                            + ": with fewer it depends on a few of the largest by chance");
        }
    }

    /** Minimum and maximum cover all samples; percentiles may not, see {@link #WINDOW}. */
    private void mean() {
        List<Point> given = points.stream().filter(point -> !isEmpty(point)).toList();
        String ofExtremes = contradiction(
                given.stream().filter(point -> !isPercentile(point)).toList());
        String ofAll = contradiction(given);
        if (ofExtremes != null) {
            findings.impossible(row, ofExtremes);
        } else if (ofAll != null && mayBeOfAWindow()) {
            findings.suspicious(
                    row,
                    ofAll + ", unless the percentiles cover only the last " + Figures.count(WINDOW)
                            + " samples, as in JMeter listeners");
        } else if (ofAll != null) {
            findings.impossible(row, ofAll);
        }
    }

    private boolean mayBeOfAWindow() {
        return !row.ofAllSamples() && row.has("count") && row.get("count").value() > WINDOW;
    }

    /** Why the mean does not fit these points, which are in ascending order; null when it does. */
    private @Nullable String contradiction(List<Point> given) {
        PrintedNumber mean = row.get("mean_ms");
        String text = "the mean of " + mean + " ms is too ";
        List<Point> below = given.stream().filter(point -> point.share() < 1).toList();
        double least = least(below);
        if (mean.high() < least - TOLERANCE) {
            return text + "low for " + format(below) + ": it must be at least " + Figures.number(least) + " ms";
        }
        if (row.has("max_ms") && mean.low() > most(given) + TOLERANCE) {
            return text + "high for "
                    + format(given.stream().filter(point -> point.share() > 0).toList()) + ": it must be at most "
                    + Figures.number(most(given)) + " ms";
        }
        return null;
    }

    /** The mean if all samples between two points were equal to the lower one. */
    private double least(List<Point> given) {
        double sum = 0;
        double above = 1;
        double low = 0;
        for (Point point : given) {
            double next = point.share() == 0 ? 1 : Math.max(0, 1 - point.share() - oneSample());
            sum += (above - next) * low;
            above = next;
            low = Math.max(low, of(point).low());
        }
        return sum + above * low;
    }

    /** The mean if all samples between two points were equal to the upper one. The last point is the maximum. */
    private double most(List<Point> given) {
        double sum = 0;
        double below = 0;
        double high = 0;
        for (Point point : given) {
            double next = point.share() == 1 ? 1 : Math.max(0, point.share() - oneSample());
            high = Math.max(high, of(point).high());
            sum += (next - below) * high;
            below = next;
        }
        return sum;
    }

    private double oneSample() {
        return 1 / (row.has("count") ? Math.max(1, row.timed().high()) : DEFAULT_SAMPLES);
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

    private String format(List<Point> points) {
        List<String> texts = points.stream().map(this::format).toList();
        return texts.size() < 2
                ? String.join("", texts)
                : String.join(", ", texts.subList(0, texts.size() - 1)) + " and " + texts.getLast();
    }
}
