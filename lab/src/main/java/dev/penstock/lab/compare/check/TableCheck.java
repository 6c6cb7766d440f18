package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.Finding.Severity;
import dev.penstock.lab.compare.check.ResultRow.Printed;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Checks whether results can be correct. Pure.
 *
 * <p>Checks: percentiles are ascending, consistent with the mean, and derived from enough samples; errors are no more
 * than transactions, and their share is that of their number; a rate equals count / time; totals follow
 * from their rows.
 */
public final class TableCheck {
    private static final String TOTAL = "total";
    private static final Pattern TOTALS = Pattern.compile("(?i)\\**(totals?|sum|all|overall)\\**");

    /** Different tools measure the duration of a run from slightly different moments. */
    private static final double SLACK = 1.02;

    /** A rate this far below count / time is that of something else. */
    private static final double MIN_RATE_RATIO = 0.9;

    /** Tolerance for floating-point rounding, not for the rounding of printed numbers. */
    private static final double TOLERANCE = 1e-6;

    private final boolean isTable;
    private final List<Finding> findings = new ArrayList<>();

    private TableCheck(boolean isTable) {
        this.isTable = isTable;
    }

    /** Checks the rows of a table of any tool, of which one may be the total of the others. */
    static List<Finding> of(List<ResultRow> rows) {
        TableCheck check = new TableCheck(true);
        rows.forEach(check::row);
        List<ResultRow> parts = new ArrayList<>();
        List<ResultRow> totals = new ArrayList<>();
        rows.forEach(row -> (TOTALS.matcher(row.name()).matches() ? totals : parts).add(row));
        if (totals.size() == 1) {
            check.totals(totals.getFirst(), parts);
        }
        return check.findings;
    }

    /** Checks a result file: each block, and that the labels of a block add up to it. */
    public static List<Finding> of(ResultFile file) {
        TableCheck check = new TableCheck(false);
        rows(file).forEach(check::row);
        for (Contestant contestant : file.contestants()) {
            for (int i = 0; i < contestant.blocks().size(); i++) {
                int block = i;
                List<ResultRow> parts = new ArrayList<>();
                contestant.byLabel().stream()
                        .filter(label -> block < label.blocks().size())
                        .forEach(label -> parts.add(
                                ResultRow.of(label.name(), label.blocks().get(block))));
                check.totals(ResultRow.of(TOTAL, contestant.blocks().get(i)), parts);
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
        List<Map<String, Double>> blocks = contestant.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            rows.add(ResultRow.of(name + (blocks.size() == 1 ? "" : ", block " + (i + 1)), blocks.get(i)));
        }
    }

    private void row(ResultRow row) {
        BiConsumer<Severity, String> report = (severity, text) -> findings.add(new Finding(severity, row.name(), text));
        new TimeChecks(row, isTable, report).check();
        errors(row, report);
        rate(row, report);
    }

    private static void errors(ResultRow row, BiConsumer<Severity, String> report) {
        if (row.has("error_percent") && row.get("error_percent").low() > 100) {
            report.accept(Severity.IMPOSSIBLE, row.get("error_percent") + " % errors are more than 100 %");
        }
        if (!row.has("errors", "count")) {
            return;
        }
        Printed errors = row.get("errors");
        Printed count = row.get("count");
        if (errors.low() > count.high()) {
            report.accept(Severity.IMPOSSIBLE, errors + " errors are more than " + count + " transactions");
        }
        Printed percent = row.find("error_percent");
        double low = 100 * errors.low() / count.high();
        double high = 100 * errors.high() / count.low();
        if (percent != null && (percent.high() < low - TOLERANCE || percent.low() > high + TOLERANCE)) {
            String text = errors + " errors of " + count + " are " + Figures.number((low + high) / 2) + " %, not ";
            report.accept(Severity.IMPOSSIBLE, text + percent + " %");
        }
    }

    private static void rate(ResultRow row, BiConsumer<Severity, String> report) {
        if (!row.has("tps", "count", "seconds") || row.get("seconds").low() <= 0) {
            return;
        }
        Printed tps = row.get("tps");
        Printed count = row.get("count");
        Printed seconds = row.get("seconds");
        double share = row.has("error_percent") ? row.get("error_percent").high() / 100 : 0;
        double errors = row.has("errors") ? row.get("errors").high() : count.high() * share;
        String text = count + " in " + seconds + " s are " + Figures.number(count.value() / seconds.value()) + "/s";
        if (tps.low() > SLACK * count.high() / seconds.low()) {
            report.accept(Severity.IMPOSSIBLE, text + ", not " + tps);
        } else if (tps.high() < MIN_RATE_RATIO * (count.low() - errors) / seconds.high()) {
            report.accept(Severity.SUSPICIOUS, text + ", and " + tps + " is far less: they are not of the same time");
        }
    }

    /** Sums, and the extremes and the mean of all rows. */
    private void totals(ResultRow total, List<ResultRow> parts) {
        if (parts.size() > 1) {
            List.of("count", "errors", "min_ms", "mean_ms", "max_ms").stream()
                    .filter(key -> total.has(key) && parts.stream().allMatch(row -> row.has(key)))
                    .forEach(key -> total(total, parts, key));
        }
    }

    private void total(ResultRow total, List<ResultRow> parts, String key) {
        Printed of = total.get(key);
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
