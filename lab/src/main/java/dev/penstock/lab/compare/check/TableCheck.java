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

/**
 * Checks whether results can be correct. Pure.
 *
 * <p>Checks: percentiles are ascending, consistent with the mean, and derived from enough samples; errors are no more
 * than transactions; a rate equals count / time; totals follow
 * from their rows.
 */
public final class TableCheck {
    private static final String TOTAL = "total";

    /** Different tools measure the duration of a run from slightly different moments. */
    private static final double SLACK = 1.02;

    /** A rate this far below count / time is that of something else. */
    private static final double MIN_RATE_RATIO = 0.9;

    private final List<Finding> findings = new ArrayList<>();

    private TableCheck() {}

    /** Checks rows, of which the last may be the total of the others. */
    static List<Finding> of(List<ResultRow> rows) {
        TableCheck check = new TableCheck();
        rows.forEach(check::row);
        check.totals(rows);
        return check.findings;
    }

    /** Checks a result file: each block, and that the labels of a block add up to it. */
    public static List<Finding> of(ResultFile file) {
        TableCheck check = new TableCheck();
        rows(file).forEach(check::row);
        for (Contestant contestant : file.contestants()) {
            for (int i = 0; i < contestant.blocks().size(); i++) {
                int block = i;
                List<ResultRow> rows = new ArrayList<>();
                contestant.byLabel().stream()
                        .filter(label -> block < label.blocks().size())
                        .forEach(label -> rows.add(
                                ResultRow.of(label.name(), label.blocks().get(block))));
                rows.add(ResultRow.of(TOTAL, contestant.blocks().get(i)));
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
        List<Map<String, Double>> blocks = contestant.blocks();
        for (int i = 0; i < blocks.size(); i++) {
            rows.add(ResultRow.of(name + (blocks.size() == 1 ? "" : ", block " + (i + 1)), blocks.get(i)));
        }
    }

    private void row(ResultRow row) {
        BiConsumer<Severity, String> report = (severity, text) -> findings.add(new Finding(severity, row.name(), text));
        new TimeChecks(row, report).check();
        errors(row, report);
        rate(row, report);
    }

    private static void errors(ResultRow row, BiConsumer<Severity, String> report) {
        if (row.has("errors", "count")
                && row.get("errors").low() > row.get("count").high()) {
            report.accept(
                    Severity.IMPOSSIBLE,
                    row.get("errors") + " errors are more than " + row.get("count") + " transactions");
        }
    }

    private static void rate(ResultRow row, BiConsumer<Severity, String> report) {
        if (!row.has("tps", "count", "seconds") || row.get("seconds").low() <= 0) {
            return;
        }
        Printed tps = row.get("tps");
        Printed count = row.get("count");
        Printed seconds = row.get("seconds");
        double errors = row.has("errors") ? row.get("errors").high() : 0;
        String text = count + " in " + seconds + " s are " + Figures.number(count.value() / seconds.value()) + "/s";
        if (tps.low() > SLACK * count.high() / seconds.low()) {
            report.accept(Severity.IMPOSSIBLE, text + ", not " + tps);
        } else if (tps.high() < MIN_RATE_RATIO * (count.low() - errors) / seconds.high()) {
            report.accept(Severity.SUSPICIOUS, text + ", and " + tps + " is far less: they are not of the same time");
        }
    }

    /** The last row may be the total of the others: sums, and the extremes and the mean of all rows. */
    private void totals(List<ResultRow> rows) {
        ResultRow total = rows.getLast();
        List<ResultRow> parts = rows.subList(0, rows.size() - 1);
        if (total.name().equals(TOTAL) && parts.size() > 1) {
            List.of("count", "errors", "min_ms", "mean_ms", "max_ms").stream()
                    .filter(key -> rows.stream().allMatch(row -> row.has(key)))
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
