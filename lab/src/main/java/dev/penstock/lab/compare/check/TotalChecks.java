package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Invariants of a row of totals and the rows that it sums. */
final class TotalChecks {
    private static final Set<String> NAMES = Set.of("total", "totals", "sum", "all", "overall");

    private TotalChecks() {}

    static void check(List<ResultRow> rows, Findings findings) {
        List<ResultRow> totals = rows.stream().filter(TotalChecks::isTotal).toList();
        List<ResultRow> parts = rows.stream().filter(row -> !isTotal(row)).toList();
        if (totals.size() != 1 || parts.size() < 2) {
            return;
        }
        ResultRow total = totals.getFirst();
        for (String key : List.of("count", "errors")) {
            if (total.has(key) && parts.stream().allMatch(row -> row.has(key))) {
                sum(total, parts, key, findings);
            }
        }
        for (String key : List.of("min_ms", "mean_ms", "max_ms")) {
            if (total.has(key) && parts.stream().allMatch(row -> row.has(key))) {
                time(total, parts, key, findings);
            }
        }
    }

    private static boolean isTotal(ResultRow row) {
        return NAMES.contains(row.name().toLowerCase(Locale.ROOT));
    }

    private static void sum(ResultRow total, List<ResultRow> parts, String key, Findings findings) {
        double low = parts.stream().mapToDouble(row -> row.get(key).low()).sum();
        double high = parts.stream().mapToDouble(row -> row.get(key).high()).sum();
        if (low > total.get(key).high() || high < total.get(key).low()) {
            findings.impossible(
                    total,
                    "the " + key + " of the rows are " + Figures.number((low + high) / 2) + " in total, not "
                            + total.get(key));
        }
    }

    /** The minimum of all is the lowest of the rows, the maximum the highest, and the mean is between their means. */
    private static void time(ResultRow total, List<ResultRow> parts, String key, Findings findings) {
        DoubleSummaryStatistics lows =
                parts.stream().mapToDouble(row -> row.get(key).low()).summaryStatistics();
        DoubleSummaryStatistics highs =
                parts.stream().mapToDouble(row -> row.get(key).high()).summaryStatistics();
        double least = key.equals("max_ms") ? lows.getMax() : lows.getMin();
        double most = key.equals("min_ms") ? highs.getMin() : highs.getMax();
        PrintedNumber time = total.get(key);
        if (time.high() < least || time.low() > most) {
            findings.impossible(
                    total,
                    "the " + key.replace("_ms", "") + " of all, " + time + " ms, does not fit the rows: it must be "
                            + Figures.number(least) + " to " + Figures.number(most) + " ms");
        }
    }
}
