package dev.penstock.lab.compare.check;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, by its heading.
 *
 * @param key of the column's values
 * @param unit of plain numbers in the column: for a time {@code ms}, {@code s}, {@code min} or {@code h}; for a rate
 *     {@code /s}; empty otherwise
 */
record Column(String key, String unit) {
    /** The name of a row. */
    static final String NAME = "name";

    private static final Pattern UNIT =
            Pattern.compile("[(\\[]\\s*/?\\s*([a-z%]+)\\s*[)\\]]|\\b(ms|msec|s|sec|secs|seconds|min|h)$");
    private static final Pattern PERCENTILE = Pattern.compile(
            "(?:p|tp|pct|perc|percentile)?\\s*\\(?\\s*(50|90|95|99|100|99\\.9|999)\\s*\\)?\\s*(?:%|%ile|th|st|nd)?(?:\\s*-?\\s*(?:ile|line|pct|perc|percentile|percent|%))?");
    private static final Pattern NUMBER = Pattern.compile(
            "[~*]*(?:>=|\u2265)?\\s*([+-]?[0-9][0-9,' \u00A0\u202F]*(?:\\.[0-9]+)?|[+-]?\\.[0-9]+)\\s*([/a-z%\u00B5]*)[*]*");
    private static final Pattern DECIMAL_COMMA = Pattern.compile("[+-]?[0-9]+,(?![0-9]{3}$)[0-9]+");

    /** What others call it. */
    private static final Map<String, String> KEYS = inverted("""
            name: | label | name | test | run | transaction | request
            count: count | samples | requests | transactions | number of requests | request count
            mean_ms: average | avg | mean | average response time | avg response time | mean response time | response time
            p50_ms: median | med | median response time
            min_ms: minimum | min | min response time
            max_ms: maximum | max | max response time
            errors: error | errors | failures | failure count | ko
            error_percent: error rate | error % | errors % | % errors | % error
            right: right | ok
            shed: shed
            tps: tps | rps | throughput | req/s | requests/s | requests/sec
            users: users | threads | clients | vus | concurrent users
            seconds: time | duration | run time | test duration
            think_ms: think | think time
            """);

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
    private static final Set<String> COUNTED = Set.of("count", "users", "errors", "right", "shed");

    private static Map<String, String> inverted(String lines) {
        Map<String, String> keys = new HashMap<>();
        for (String line : lines.lines().toList()) {
            int colon = line.indexOf(':');
            for (String name : line.substring(colon + 1).split("\\|", -1)) {
                keys.put(name.strip(), line.substring(0, colon));
            }
        }
        return keys;
    }

    /** Parses a heading; null for an unknown column. */
    static @Nullable Column of(String heading) {
        String text = heading.toLowerCase(Locale.ROOT)
                .replace("#", "")
                .replaceAll("\\s+", " ")
                .strip();
        Matcher unit = UNIT.matcher(text);
        String given = "";
        if (unit.find() && !KEYS.containsKey(text)) {
            given = unit.group(1) == null ? unit.group(2) : unit.group(1);
            text = text.substring(0, unit.start()).strip();
        }
        String key = KEYS.getOrDefault(text, percentile(text));
        if (key == null) {
            return null;
        }
        if (key.endsWith("_ms")) {
            return new Column(key, given.isEmpty() ? "ms" : given);
        }
        return switch (key) {
            case "seconds" -> new Column(key, given.isEmpty() ? "s" : given);
            case "tps" -> new Column(key, "/" + (given.isEmpty() ? "s" : given));
            case "errors" -> new Column(given.equals("%") ? "error_percent" : key, "");
            default -> new Column(key, "");
        };
    }

    private static @Nullable String percentile(String text) {
        Matcher percentile = PERCENTILE.matcher(text);
        if (!percentile.matches() || text.matches("[0-9.]+")) {
            return null;
        }
        String percent = percentile.group(1).replace(".", "");
        return percent.equals("100") ? "max_ms" : "p" + percent + "_ms";
    }

    /** This column, or one of percentages when a cell of plain errors is one. */
    Column with(String cell) {
        return key.equals("errors") && cell.strip().endsWith("%") ? new Column("error_percent", "") : this;
    }

    /** A cell's value in the unit of the key: a number in human notation, optionally with a unit; null without one. */
    @Nullable
    PrintedNumber value(String cell) {
        Matcher number = NUMBER.matcher(cell.strip().toLowerCase(Locale.ROOT));
        if (!number.matches()) {
            return null;
        }
        String written = number.group(1).strip();
        String digits = (DECIMAL_COMMA.matcher(written).matches() ? written.replace(',', '.') : written)
                .replaceAll("[,' \u00A0\u202F]", "");
        double factor = factor(number.group(2).isEmpty() ? unit : number.group(2));
        int point = digits.indexOf('.');
        double rounding = point < 0 && COUNTED.contains(key)
                ? 0
                : 0.5 * Math.pow(10, point < 0 ? 0 : point + 1 - digits.length());
        return Double.isNaN(factor)
                ? null
                : new PrintedNumber(Double.parseDouble(digits) * factor, rounding * Math.abs(factor));
    }

    /** The factor from this unit to the unit of the key; NaN when the unit does not fit. */
    private double factor(String given) {
        if (key.endsWith("_ms")) {
            return TIMES.getOrDefault(given, Double.NaN) * 1e3;
        }
        return switch (key) {
            case "seconds" -> TIMES.getOrDefault(given, Double.NaN);
            case "tps" -> 1 / TIMES.getOrDefault(given.substring(given.indexOf('/') + 1), Double.NaN);
            default -> given.isEmpty() || given.equals("%") == key.equals("error_percent") ? 1 : Double.NaN;
        };
    }
}
