package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.Finding.Severity;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a table of results can be correct. Pure.
 *
 * <p>Checks: percentiles are ascending, consistent with the mean, and derived from enough samples; errors are no more
 * than transactions; a rate equals count / time; users are not busy for longer than the run (Little, "A proof for the
 * queuing formula L = lambda W", Operations Research 1961: concurrency is rate x time); totals.
 */
public final class TableCheck {
    private static final Set<String> TOTALS = Set.of("total", "totals", "sum", "all", "overall");

    /** Different tools measure the duration of a run from slightly different moments. */
    private static final double SLACK = 1.02;

    /** A rate this far below count / time is that of something else. */
    private static final double MIN_RATE_RATIO = 0.9;

    /** The assumed maximum of a last transaction beyond the end, in means, when the maximum is not given. */
    private static final double LONGEST = 10;

    /** Tolerance for floating-point rounding, not for the rounding of printed numbers. */
    private static final double TOLERANCE = 1e-6;

    private final List<Finding> findings = new ArrayList<>();

    private TableCheck() {}

    /** Checks the rows of one table. */
    public static List<Finding> of(List<ResultRow> rows) {
        TableCheck check = new TableCheck();
        rows.forEach(check::row);
        check.totals(rows);
        return List.copyOf(check.findings);
    }

    /** Checks a result file: each block, and that the labels of a block add up to it. */
    public static List<Finding> of(ResultFile file) {
        TableCheck check = new TableCheck();
        rows(file).forEach(check::row);
        for (Contestant contestant : file.contestants()) {
            for (int i = 0; i < contestant.blocks().size(); i++) {
                List<ResultRow> rows = new ArrayList<>();
                for (Contestant label : contestant.byLabel()) {
                    rows.addAll(
                            i < label.blocks().size()
                                    ? List.of(ResultRow.of(
                                            label.name(), label.blocks().get(i)))
                                    : List.of());
                }
                rows.add(ResultRow.of("total", contestant.blocks().get(i)));
                check.totals(rows);
            }
        }
        return List.copyOf(check.findings);
    }

    /** The rows of a result file, one per block, of each contestant and each of its labels. */
    public static List<ResultRow> rows(ResultFile file) {
        List<ResultRow> rows = new ArrayList<>();
        for (Contestant contestant : file.contestants()) {
            String name = (contestant.course() == null ? "" : contestant.course() + " / ") + contestant.name();
            rows(rows, name, contestant);
            contestant.byLabel().forEach(label -> rows(rows, name + ", " + label.name(), label));
        }
        return rows;
    }

    private static void rows(List<ResultRow> rows, String name, Contestant contestant) {
        int blocks = contestant.blocks().size();
        for (int i = 0; i < blocks; i++) {
            rows.add(ResultRow.of(
                    name + (blocks == 1 ? "" : ", block " + (i + 1)),
                    contestant.blocks().get(i)));
        }
    }

    private void row(ResultRow row) {
        BiConsumer<Severity, String> report = (severity, text) -> findings.add(new Finding(severity, row.name(), text));
        new PercentileChecks(row, report).check();
        errors(row, report);
        rate(row, report);
        users(row, report);
    }

    private static void errors(ResultRow row, BiConsumer<Severity, String> report) {
        PrintedNumber percent = row.find("error_percent");
        if (percent != null && percent.low() > 100) {
            report.accept(Severity.IMPOSSIBLE, percent + " % errors are more than 100 %");
        }
        if (!row.has("errors", "count")) {
            return;
        }
        PrintedNumber errors = row.get("errors");
        PrintedNumber count = row.get("count");
        if (errors.low() > count.high()) {
            report.accept(Severity.IMPOSSIBLE, errors + " errors are more than " + count + " transactions");
        }
        if (percent != null && count.low() > 0) {
            double low = 100 * errors.low() / count.high();
            double high = 100 * errors.high() / count.low();
            if (percent.high() < low - TOLERANCE || percent.low() > high + TOLERANCE) {
                report.accept(
                        Severity.IMPOSSIBLE,
                        errors + " errors of " + count + " are " + Figures.number((low + high) / 2) + " %, not "
                                + percent + " %");
            }
        }
        PrintedNumber right = row.find("right");
        PrintedNumber shed = row.has("shed") ? row.get("shed") : new PrintedNumber(0, 0);
        if (right != null
                && (right.low() + errors.low() + shed.low() > count.high() + TOLERANCE
                        || right.high() + errors.high() + shed.high() < count.low() - TOLERANCE)) {
            report.accept(
                    Severity.IMPOSSIBLE,
                    right + " right + " + errors + " errors do not add up to " + count + " transactions");
        }
    }

    private static void rate(ResultRow row, BiConsumer<Severity, String> report) {
        if (!row.has("tps", "count", "seconds") || row.get("seconds").low() <= 0) {
            return;
        }
        PrintedNumber tps = row.get("tps");
        PrintedNumber count = row.get("count");
        PrintedNumber seconds = row.get("seconds");
        PrintedNumber percent = row.find("error_percent");
        double share = percent == null ? 0 : Math.min(1, percent.high() / 100);
        double errors = row.has("errors") ? row.get("errors").high() : count.high() * share;
        String text = count + " in " + seconds + " s are " + Figures.number(count.value() / seconds.value()) + "/s";
        if (tps.low() > SLACK * count.high() / seconds.low()) {
            report.accept(Severity.IMPOSSIBLE, text + ", not " + tps);
        } else if (tps.high() < MIN_RATE_RATIO * (count.low() - errors) / seconds.high()) {
            report.accept(
                    Severity.SUSPICIOUS,
                    text + ", and " + tps + " is far less: the columns are not from the same time range");
        }
    }

    private static void users(ResultRow row, BiConsumer<Severity, String> report) {
        if (!row.has("users", "mean_ms", "count") || row.get("users").low() <= 0) {
            return;
        }
        PrintedNumber users = row.get("users");
        PrintedNumber mean = row.get("mean_ms");
        PrintedNumber timed = row.timed();
        PrintedNumber seconds = seconds(row);
        PrintedNumber think = row.has("think_ms") ? row.get("think_ms") : new PrintedNumber(0, 0);
        double longest = row.has("max_ms") ? row.get("max_ms").high() : LONGEST * mean.high();
        double least = timed.low() * (mean.low() + think.low()) / users.high() / 1e3;
        if (seconds != null && least > SLACK * seconds.high() + (longest + think.high()) / 1e3) {
            report.accept(
                    Severity.IMPOSSIBLE,
                    timed + " x " + mean + " ms" + (think.value() > 0 ? " (+ " + think + " ms think time)" : "") + " / "
                            + users + " users are "
                            + Figures.number(timed.value() * (mean.value() + think.value()) / users.value() / 1e3)
                            + " s per user, in a run of " + seconds + " s");
        }
    }

    /** The maximum duration of the run: as given, or derived from the rate, which cannot exceed count / time. */
    private static @Nullable PrintedNumber seconds(ResultRow row) {
        PrintedNumber tps = row.find("tps");
        if (row.has("seconds") || tps == null || tps.low() <= 0) {
            return row.find("seconds");
        }
        double value = row.get("count").value() / tps.value();
        return new PrintedNumber(value, row.get("count").high() / tps.low() - value);
    }

    /** Sums, and the extremes and the mean of all rows. */
    private void totals(List<ResultRow> rows) {
        List<ResultRow> totals = rows.stream().filter(TableCheck::isTotal).toList();
        List<ResultRow> parts = rows.stream().filter(row -> !isTotal(row)).toList();
        if (totals.size() != 1 || parts.size() < 2) {
            return;
        }
        ResultRow total = totals.getFirst();
        for (String key : List.of("count", "errors", "min_ms", "mean_ms", "max_ms")) {
            if (total.has(key) && parts.stream().allMatch(row -> row.has(key))) {
                total(total, parts, key);
            }
        }
    }

    private static boolean isTotal(ResultRow row) {
        return TOTALS.contains(row.name().toLowerCase(Locale.ROOT));
    }

    private void total(ResultRow total, List<ResultRow> parts, String key) {
        PrintedNumber of = total.get(key);
        DoubleSummaryStatistics lows =
                parts.stream().mapToDouble(row -> row.get(key).low()).summaryStatistics();
        DoubleSummaryStatistics highs =
                parts.stream().mapToDouble(row -> row.get(key).high()).summaryStatistics();
        boolean isTime = key.endsWith("_ms");
        double least = !isTime ? lows.getSum() : key.equals("max_ms") ? lows.getMax() : lows.getMin();
        double most = !isTime ? highs.getSum() : key.equals("min_ms") ? highs.getMin() : highs.getMax();
        if (of.high() < least || of.low() > most) {
            String text = isTime
                    ? "the %s of all, %s ms, does not fit the rows: it must be %s to %s ms"
                            .formatted(key.replace("_ms", ""), of, Figures.number(least), Figures.number(most))
                    : "the %s of the rows are %s in total, not %s"
                            .formatted(key, Figures.number((least + most) / 2), of);
            findings.add(new Finding(Severity.IMPOSSIBLE, total.name(), text));
        }
    }
}
