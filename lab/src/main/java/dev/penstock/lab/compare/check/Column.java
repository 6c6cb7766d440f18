package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.check.ResultRow.Printed;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, by its heading.
 *
 * @param key of the column's values
 * @param unit of plain numbers in the column; empty for the unit of the key
 */
record Column(String key, String unit) {
    private static final String ERROR_PERCENT = "error_percent";
    private static final Pattern UNIT =
            Pattern.compile("[(\\[]\\s*/?\\s*([a-z%]+)\\s*[)\\]]|\\b(ms|msec|s|sec|secs|seconds|min|h)$");
    private static final Pattern PERCENTILE =
            Pattern.compile("(?:p|tp)?\\(?(50|90|95|99|99\\.9|999)\\)?(?: ?%| ?th)?(?: ?(?:line|pct|percentile))?");
    private static final Pattern NUMBER = Pattern.compile(
            "[~*]*(?:>=|\u2265)?\\s*([+-]?[0-9][0-9,' \u00A0\u202F]*(?:\\.[0-9]+)?|[+-]?\\.[0-9]+)\\s*([/a-z%\u00B5]*)[*]*");
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?[0-9]+,(?![0-9]{3}$)[0-9]+");

    /** Headings of tools and people, by key. */
    private static final Map<String, String> KEYS = inverted("""
            name: label | name | test | run | transaction | request
            count: count | samples | requests | transactions | number of requests | request count
            mean_ms: average | avg | mean | average response time | avg response time | mean response time | response time
            p50_ms: median | med | median response time
            min_ms: minimum | min | min response time
            max_ms: maximum | max | max response time | 100%
            errors: error | errors | failures | failure count | fail | ko
            error_percent: error rate | error % | errors % | % errors | % error
            tps: tps | rps | throughput | req/s | requests/s | requests/sec | transactions/s
            seconds: time | duration | run time | test duration
            """);

    /** Units of time, by their seconds. */
    private static final Map<String, String> UNITS = inverted("""
            1e-6: us | \u00B5s
            1e-3: ms | msec
            1: s | sec | secs | seconds
            60: m | min | minutes
            3600: h | hour | hours
            """);

    private static Map<String, String> inverted(String lines) {
        Map<String, String> inverted = new HashMap<>();
        lines.lines().map(line -> line.split(": ", 2)).forEach(line -> {
            for (String word : line[1].split(" \\| ", -1)) {
                inverted.put(word, line[0]);
            }
        });
        return inverted;
    }

    /** Parses a heading; null for an unknown column. */
    static @Nullable Column of(String heading) {
        String text = heading.toLowerCase(Locale.ROOT)
                .replaceAll("[#*`]", "")
                .replaceAll("\\s+", " ")
                .strip();
        Matcher unit = UNIT.matcher(text);
        String given = "";
        if (!KEYS.containsKey(text) && unit.find()) {
            given = unit.group(1) == null ? unit.group(2) : unit.group(1);
            text = text.substring(0, unit.start()).strip();
        }
        Matcher percentile = PERCENTILE.matcher(text);
        boolean isPercentile = percentile.matches() && !text.matches("[0-9.]+");
        String key = isPercentile ? "p" + percentile.group(1).replace(".", "") + "_ms" : KEYS.get(text);
        return key == null ? null : new Column(key, given).with(given);
    }

    /** This column, or one of percentages when a cell of plain errors is one. */
    Column with(String cell) {
        return key.equals("errors") && cell.endsWith("%") ? new Column(ERROR_PERCENT, "") : this;
    }

    /** A cell's value in the unit of the key: a number in human notation, optionally with a unit; null without one. */
    @Nullable
    Printed value(String cell) {
        Matcher number = NUMBER.matcher(cell.toLowerCase(Locale.ROOT));
        if (!number.matches()) {
            return null;
        }
        String written = number.group(1).strip();
        String digits = (DECIMAL_COMMA.matcher(written).matches() ? written.replace(',', '.') : written)
                .replaceAll("[,' \u00A0\u202F]", "");
        double factor = factor(number.group(2).isEmpty() ? unit : number.group(2));
        int point = digits.indexOf('.');
        // Counts are exact, unless printed with decimals.
        boolean isExact = point < 0 && (key.equals("count") || key.equals("errors"));
        double rounding = isExact ? 0 : 0.5 * Math.pow(10, point < 0 ? 0 : point + 1 - digits.length());
        return Double.isNaN(factor) ? null : new Printed(Double.parseDouble(digits) * factor, rounding * factor);
    }

    /** The factor from this unit to the unit of the key; NaN when the unit does not fit. */
    private double factor(String given) {
        if (given.isEmpty() || (given.equals("%") && key.equals(ERROR_PERCENT))) {
            return 1;
        }
        boolean isRate = key.equals("tps");
        String time = isRate ? given.substring(given.indexOf('/') + 1) : given;
        boolean isTime = isRate || key.endsWith("_ms") || key.equals("seconds");
        double seconds = Double.parseDouble(isTime ? UNITS.getOrDefault(time, "NaN") : "NaN");
        return isRate ? 1 / seconds : key.equals("seconds") ? seconds : 1e3 * seconds;
    }
}
