package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import java.util.List;

/** What the counts of one row obey: every transaction ends exactly once. */
final class CountChecks {
    /** What {@code errors} is made of; see {@link dev.penstock.lab.measure.Counts}. */
    private static final List<String> ERRORS = List.of("wrong", "rejected", "failed", "unknown", "lost");

    /** A rounding of binary fractions, not of what is printed. */
    private static final double ALMOST = 1e-6;

    private CountChecks() {}

    static void look(ResultRow row, Findings findings) {
        row.figures().forEach((key, figure) -> {
            if (figure.high() < 0) {
                findings.impossible(row, key + " is below 0: " + figure);
            }
        });
        if (row.has("errors")) {
            errors(row, findings);
        }
        percent(row, findings);
        allTold(row, findings);
    }

    private static void errors(ResultRow row, Findings findings) {
        PrintedNumber errors = row.get("errors");
        if (row.has("count") && errors.low() > row.get("count").high()) {
            findings.impossible(row, errors + " errors are more than the " + row.get("count") + " transactions");
        }
        List<String> told = ERRORS.stream().filter(row::has).toList();
        double low = told.stream().mapToDouble(key -> row.get(key).low()).sum();
        double high = told.stream().mapToDouble(key -> row.get(key).high()).sum();
        String sum = String.join(" + ", told) + " are "
                + Figures.number(
                        told.stream().mapToDouble(key -> row.get(key).value()).sum());
        if (low > errors.high() + ALMOST) {
            findings.impossible(row, sum + ", more than the " + errors + " errors they are among");
        } else if (told.size() == ERRORS.size() && high < errors.low() - ALMOST) {
            findings.impossible(row, sum + ", and have to be the " + errors + " errors");
        }
    }

    private static void percent(ResultRow row, Findings findings) {
        PrintedNumber percent = row.find("error_percent");
        if (percent == null) {
            return;
        }
        if (percent.low() > 100) {
            findings.impossible(row, percent + " % of errors are more than all");
        }
        if (row.has("errors", "count") && row.get("count").low() > 0) {
            double low = 100 * row.get("errors").low() / row.get("count").high();
            double high = 100 * row.get("errors").high() / row.get("count").low();
            if (percent.high() < low - ALMOST || percent.low() > high + ALMOST) {
                findings.impossible(
                        row,
                        row.get("errors") + " errors of " + row.get("count") + " are "
                                + Figures.number((low + high) / 2) + " %, not " + percent + " %");
            }
        }
    }

    private static void allTold(ResultRow row, Findings findings) {
        if (!row.has("right", "count", "errors")) {
            return;
        }
        PrintedNumber shed = row.has("shed") ? row.get("shed") : new PrintedNumber(0, 0);
        double low = row.get("right").low() + row.get("errors").low() + shed.low();
        double high = row.get("right").high() + row.get("errors").high() + shed.high();
        PrintedNumber count = row.get("count");
        if (low > count.high() + ALMOST || high < count.low() - ALMOST) {
            findings.impossible(
                    row,
                    row.get("right") + " right + " + row.get("errors") + " errors"
                            + (row.has("shed") ? " + " + shed + " shed" : "") + " are not the " + count
                            + " transactions");
        }
    }
}
