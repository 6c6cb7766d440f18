package dev.penstock.lab.compare.check;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses a table cell: a number in human notation, optionally with a unit. */
final class TableCell {
    private static final Pattern NUMBER = Pattern.compile(
            "[~*]*(?:>=|\u2265)?\\s*([+-]?[0-9][0-9,' \u00A0\u202F]*(?:\\.[0-9]+)?|[+-]?\\.[0-9]+)\\s*([/a-z%\u00B5]*)[*]*");
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?[0-9]+,(?![0-9]{3}$)[0-9]+");

    /** Seconds per unit of time. */
    private static final Map<String, Double> TIMES = Map.ofEntries(
            Map.entry("us", 1e-6),
            Map.entry("\u00B5s", 1e-6),
            Map.entry("ms", 1e-3),
            Map.entry("msec", 1e-3),
            Map.entry("s", 1.0),
            Map.entry("sec", 1.0),
            Map.entry("secs", 1.0),
            Map.entry("seconds", 1.0),
            Map.entry("m", 60.0),
            Map.entry("min", 60.0),
            Map.entry("minutes", 60.0),
            Map.entry("h", 3600.0),
            Map.entry("hour", 3600.0),
            Map.entry("hours", 3600.0));

    /** Counts are exact, unless printed with decimals. */
    private static final Set<String> COUNTED =
            Set.of("count", "users", "errors", "right", "wrong", "rejected", "failed", "unknown", "lost", "shed");

    private TableCell() {}

    /** The value in the unit of the heading's key; null when the cell has no number. */
    static @Nullable PrintedNumber of(ColumnHeading heading, String written) {
        Matcher number = NUMBER.matcher(written.strip().toLowerCase(Locale.ROOT));
        if (!number.matches()) {
            return null;
        }
        String digits = digits(number.group(1).strip());
        String unit = number.group(2).isEmpty() ? heading.unit() : number.group(2);
        double factor = factor(heading.key(), unit);
        return Double.isNaN(factor)
                ? null
                : new PrintedNumber(
                        Double.parseDouble(digits) * factor, rounding(heading.key(), digits) * Math.abs(factor));
    }

    /** Whether a plain error column is a percentage. */
    static boolean isPercent(String written) {
        return written.strip().endsWith("%");
    }

    private static String digits(String written) {
        String plain = DECIMAL_COMMA.matcher(written).matches() ? written.replace(',', '.') : written;
        return plain.replaceAll("[,' \u00A0\u202F]", "");
    }

    private static double rounding(String key, String digits) {
        int point = digits.indexOf('.');
        if (point < 0 && COUNTED.contains(key)) {
            return 0;
        }
        int decimals = point < 0 ? 0 : digits.length() - point - 1;
        return 0.5 * Math.pow(10, -decimals);
    }

    /** The factor from this unit to the unit of the key; NaN when the unit does not fit. */
    private static double factor(String key, String unit) {
        if (key.endsWith("_ms")) {
            return TIMES.getOrDefault(unit, Double.NaN) * 1e3;
        }
        if (key.equals("seconds")) {
            return TIMES.getOrDefault(unit, Double.NaN);
        }
        if (key.equals("tps")) {
            return 1 / TIMES.getOrDefault(unit.substring(unit.indexOf('/') + 1), Double.NaN);
        }
        return unit.isEmpty() || unit.equals("%") == key.equals("error_percent") ? 1 : Double.NaN;
    }
}
