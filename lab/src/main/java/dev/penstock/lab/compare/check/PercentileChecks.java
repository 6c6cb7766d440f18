package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.Finding.Severity;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Figures;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the times of a row: percentiles are ascending, the mean is consistent with them, and a percentile needs
 * enough samples.
 *
 * <p>Of the samples, 40 % are between the 50th and the 90th percentile, and so on. The mean is lowest when all samples
 * between two percentiles equal the lower one, and highest when they equal the upper one. With interpolated percentiles,
 * each share may be off by up to one sample.
 *
 * @param row the row
 * @param report receives findings
 */
record PercentileChecks(ResultRow row, BiConsumer<Severity, String> report) {
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

    /** A percentile of a row, the minimum or the maximum. */
    private record Point(String key, String title, double share) {
        boolean isPercentile() {
            return share > 0 && share < 1;
        }
    }

    void check() {
        List<Point> points =
                POINTS.stream().filter(point -> row.has(point.key())).toList();
        List<Point> given = points.stream().filter(point -> !isEmpty(point)).toList();
        points.stream().filter(this::isEmpty).forEach(point -> zero(point, points));
        for (int i = 1; i < given.size(); i++) {
            if (of(given.get(i - 1)).low() > of(given.get(i)).high() + TOLERANCE) {
                report.accept(Severity.IMPOSSIBLE, format(given.get(i - 1)) + " is above " + format(given.get(i)));
            }
        }
        given.stream().filter(Point::isPercentile).forEach(this::samples);
        mean(given);
    }

    /** A column of zeros was not computed. One may be true without a maximum that excludes it, two hardly. */
    private void zero(Point point, List<Point> points) {
        String text = point.title() + " is 0 though ";
        PrintedNumber mean = row.find("mean_ms");
        for (Point below : points) {
            if (below.share() < point.share() && of(below).low() > of(point).high()) {
                report.accept(Severity.IMPOSSIBLE, text + format(below) + ": it was not computed");
                return;
            }
        }
        if (mean != null && mean.low() > of(point).high()) {
            boolean alone = points.stream().filter(this::isEmpty).count() == 1;
            double most =
                    row.has("max_ms") ? (1 - point.share()) * row.get("max_ms").high() : alone ? Double.MAX_VALUE : 0;
            report.accept(
                    mean.low() > most ? Severity.IMPOSSIBLE : Severity.SUSPICIOUS,
                    text + "the mean is " + mean + " ms: it was not computed");
        }
    }

    private void samples(Point point) {
        long needed = Latency.samplesFor(100 * point.share());
        if (row.has("count") && row.timed().high() < needed && row.timed().value() > 0) {
            report.accept(
                    Severity.SUSPICIOUS,
                    point.title() + " of " + row.timed() + " samples needs at least " + Figures.count(needed)
                            + ": with fewer it depends on a few of the largest by chance");
        }
    }

    /** Minimum and maximum cover all samples; percentiles may not, see {@link #WINDOW}. */
    private void mean(List<Point> given) {
        PrintedNumber mean = row.find("mean_ms");
        if (mean == null) {
            return;
        }
        String ofExtremes = contradiction(
                mean, given.stream().filter(point -> !point.isPercentile()).toList());
        String ofAll = contradiction(mean, given);
        boolean ofWindow =
                !row.ofAllSamples() && row.has("count") && row.get("count").value() > WINDOW;
        if (ofExtremes != null) {
            report.accept(Severity.IMPOSSIBLE, ofExtremes);
        } else if (ofAll != null && ofWindow) {
            report.accept(
                    Severity.SUSPICIOUS,
                    ofAll + ", unless the percentiles cover only the last " + Figures.count(WINDOW)
                            + " samples, as in JMeter listeners");
        } else if (ofAll != null) {
            report.accept(Severity.IMPOSSIBLE, ofAll);
        }
    }

    /** Why the mean does not fit these points, which are in ascending order; null when it does. */
    private @Nullable String contradiction(PrintedNumber mean, List<Point> given) {
        double sample = 1 / (row.has("count") ? Math.max(1, row.timed().high()) : DEFAULT_SAMPLES);
        double least = 0;
        double most = 0;
        double below = 0;
        double low = 0;
        double high = 0;
        for (Point point : given) {
            double share = point.share();
            if (share < 1) {
                double above = share == 0 ? 1 : Math.max(0, 1 - share - sample);
                least += above * Math.max(0, of(point).low() - low);
                low = Math.max(low, of(point).low());
            }
            double next = share == 1 ? 1 : Math.max(0, share - sample);
            high = Math.max(high, of(point).high());
            most += (next - below) * high;
            below = next;
        }
        String text = "the mean of " + mean + " ms is too ";
        if (mean.high() < least - TOLERANCE) {
            List<Point> lower =
                    given.stream().filter(point -> point.share() < 1).toList();
            return text + "low for " + format(lower) + ": it must be at least " + Figures.number(least) + " ms";
        }
        if (row.has("max_ms") && mean.low() > most + TOLERANCE) {
            List<Point> upper =
                    given.stream().filter(point -> point.share() > 0).toList();
            return text + "high for " + format(upper) + ": it must be at most " + Figures.number(most) + " ms";
        }
        return null;
    }

    /** Printed as 0: reported separately where other times are not 0. */
    private boolean isEmpty(Point point) {
        return point.isPercentile() && of(point).value() == 0;
    }

    private PrintedNumber of(Point point) {
        return row.get(point.key());
    }

    private String format(Point point) {
        return point.title() + " " + of(point) + " ms";
    }

    private String format(List<Point> points) {
        String text = points.stream().map(this::format).collect(Collectors.joining(", "));
        int last = text.lastIndexOf(", ");
        return last < 0 ? text : text.substring(0, last) + " and " + text.substring(last + 2);
    }
}
