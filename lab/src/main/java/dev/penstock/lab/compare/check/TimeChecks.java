package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.Finding.Severity;
import dev.penstock.lab.compare.check.ResultRow.Printed;
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
 * @param isTable whether it is of a table, in which percentiles may not cover all samples
 * @param report receives findings
 */
record TimeChecks(ResultRow row, boolean isTable, BiConsumer<Severity, String> report) {
    private static final List<Point> POINTS = List.of(
            new Point("min_ms", "min", 0),
            new Point("p50_ms", "p50", 0.5),
            new Point("p90_ms", "p90", 0.9),
            new Point("p95_ms", "p95", 0.95),
            new Point("p99_ms", "p99", 0.99),
            new Point("p999_ms", "p99.9", 0.999),
            new Point("max_ms", "max", 1));

    /** The last samples from which JMeter's reports may compute percentiles; minimum, mean and maximum are of all. */
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
        List<Point> given =
                POINTS.stream().filter(point -> row.has(point.key())).toList();
        for (int i = 1; i < given.size(); i++) {
            if (of(given.get(i - 1)).low() > of(given.get(i)).high() + TOLERANCE) {
                report.accept(Severity.IMPOSSIBLE, format(given.get(i - 1)) + " is above " + format(given.get(i)));
            }
        }
        given.stream().filter(Point::isPercentile).forEach(this::samples);
        Printed mean = row.find("mean_ms");
        boolean isOfWindow = isTable && row.has("count") && row.get("count").value() > WINDOW;
        List<Point> ofAll = given.stream()
                .filter(point -> !isOfWindow || !point.isPercentile())
                .toList();
        String why = mean == null ? null : contradiction(mean, ofAll);
        if (why != null) {
            report.accept(Severity.IMPOSSIBLE, why);
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

    /** Why the mean does not fit these points, which are in ascending order; null when it does. */
    private @Nullable String contradiction(Printed mean, List<Point> given) {
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
        if (mean.high() < least - TOLERANCE) {
            return contradiction(mean, "low", given, 1, "least " + Figures.number(least));
        }
        boolean isTooHigh = row.has("max_ms") && mean.low() > most + TOLERANCE;
        return isTooHigh ? contradiction(mean, "high", given, 0, "most " + Figures.number(most)) : null;
    }

    private String contradiction(Printed mean, String how, List<Point> given, double without, String bound) {
        String text = given.stream()
                .filter(point -> point.share() != without)
                .map(this::format)
                .collect(Collectors.joining(", "))
                .replaceFirst(", ([^,]*)$", " and $1");
        return "the mean of %s ms is too %s for %s: it must be at %s ms".formatted(mean, how, text, bound);
    }

    private Printed of(Point point) {
        return row.get(point.key());
    }

    private String format(Point point) {
        return point.title() + " " + of(point) + " ms";
    }
}
