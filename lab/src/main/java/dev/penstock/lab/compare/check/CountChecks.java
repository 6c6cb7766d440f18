package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import java.util.List;

/** Invariants of the counts of one row: every transaction ends exactly once. */
final class CountChecks {
    /** The parts of {@code errors}; see {@link dev.penstock.lab.measure.Counts}. */
    private static final List<String> ERRORS = List.of("wrong", "rejected", "failed", "unknown", "lost");

    /** Tolerance for floating-point rounding, not for the rounding of printed numbers. */
    private static final double TOLERANCE = 1e-6;

    private CountChecks() {}

    static void check(ResultRow row, Findings findings) {
        row.figures().forEach((key, figure) -> {
            if (figure.high() < 0) {
                findings.impossible(row, key + " is below 0: " + figure);
            }
        });
        if (row.has("errors")) {
            errors(row, findings);
        }
        percent(row, findings);
        sum(row, findings);
    }

    private static void errors(ResultRow row, Findings findings) {
        PrintedNumber errors = row.get("errors");
        if (row.has("count") && errors.low() > row.get("count").high()) {
            findings.impossible(row, errors + " errors are more than " + row.get("count") + " transactions");
        }
        List<String> given = ERRORS.stream().filter(row::has).toList();
        double low = given.stream().mapToDouble(key -> row.get(key).low()).sum();
        double high = given.stream().mapToDouble(key -> row.get(key).high()).sum();
        String sum = String.join(" + ", given) + " are "
                + Figures.number(
                        given.stream().mapToDouble(key -> row.get(key).value()).sum());
        if (low > errors.high() + TOLERANCE) {
            findings.impossible(row, sum + ", more than the " + errors + " errors that include them");
        } else if (given.size() == ERRORS.size() && high < errors.low() - TOLERANCE) {
            findings.impossible(row, sum + ", but must equal the " + errors + " errors");
        }
    }

    private static void percent(ResultRow row, Findings findings) {
        PrintedNumber percent = row.find("error_percent");
        if (percent == null) {
            return;
        }
        if (percent.low() > 100) {
            findings.impossible(row, percent + " % errors are more than 100 %");
        }
        if (row.has("errors", "count") && row.get("count").low() > 0) {
            double low = 100 * row.get("errors").low() / row.get("count").high();
            double high = 100 * row.get("errors").high() / row.get("count").low();
            if (percent.high() < low - TOLERANCE || percent.low() > high + TOLERANCE) {
                findings.impossible(
                        row,
                        row.get("errors") + " errors of " + row.get("count") + " are "
                                + Figures.number((low + high) / 2) + " %, not " + percent + " %");
            }
        }
    }

    private static void sum(ResultRow row, Findings findings) {
        if (!row.has("right", "count", "errors")) {
            return;
        }
        PrintedNumber shed = row.has("shed") ? row.get("shed") : new PrintedNumber(0, 0);
        double low = row.get("right").low() + row.get("errors").low() + shed.low();
        double high = row.get("right").high() + row.get("errors").high() + shed.high();
        PrintedNumber count = row.get("count");
        if (low > count.high() + TOLERANCE || high < count.low() - TOLERANCE) {
            findings.impossible(
                    row,
                    row.get("right") + " right + " + row.get("errors") + " errors"
                            + (row.has("shed") ? " + " + shed + " shed" : "") + " do not add up to " + count
                            + " transactions");
        }
    }
}
