package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
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
        if (total.has("mean_ms") && parts.stream().allMatch(row -> row.has("mean_ms"))) {
            mean(total, parts, findings);
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

    private static void mean(ResultRow total, List<ResultRow> parts, Findings findings) {
        double least = parts.stream()
                .mapToDouble(row -> row.get("mean_ms").low())
                .min()
                .orElseThrow();
        double most = parts.stream()
                .mapToDouble(row -> row.get("mean_ms").high())
                .max()
                .orElseThrow();
        PrintedNumber mean = total.get("mean_ms");
        if (mean.high() < least || mean.low() > most) {
            findings.impossible(
                    total,
                    "the mean of all, " + mean + " ms, is not between the means of the rows, " + Figures.number(least)
                            + " and " + Figures.number(most) + " ms");
        }
    }
}
