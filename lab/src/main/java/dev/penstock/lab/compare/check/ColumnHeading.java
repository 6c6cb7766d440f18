package dev.penstock.lab.compare.check;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a column heading.
 *
 * @param key of the column's values
 * @param unit of plain numbers in the column: for a time {@code ms}, {@code s}, {@code min} or {@code h}; for a rate
 *     {@code /s}; empty otherwise
 */
record ColumnHeading(String key, String unit) {
    /** The name of a row. */
    static final String NAME = "name";

    private static final Pattern UNIT =
            Pattern.compile("[(\\[]\\s*/?\\s*([a-z%]+)\\s*[)\\]]|\\b(ms|msec|s|sec|secs|seconds|min|h)$");
    private static final Pattern PERCENTILE = Pattern.compile(
            "(?:p|tp|pct|perc|percentile)?\\s*\\(?\\s*(50|90|95|99|100|99\\.9|999)\\s*\\)?\\s*(?:%|%ile|th|st|nd)?(?:\\s*-?\\s*(?:ile|line|pct|perc|percentile|percent|%))?");

    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("", NAME),
            Map.entry("label", NAME),
            Map.entry("name", NAME),
            Map.entry("test", NAME),
            Map.entry("run", NAME),
            Map.entry("transaction", NAME),
            Map.entry("request", NAME),
            Map.entry("count", "count"),
            Map.entry("samples", "count"),
            Map.entry("requests", "count"),
            Map.entry("transactions", "count"),
            Map.entry("number of requests", "count"),
            Map.entry("request count", "count"),
            Map.entry("average", "mean_ms"),
            Map.entry("avg", "mean_ms"),
            Map.entry("mean", "mean_ms"),
            Map.entry("average response time", "mean_ms"),
            Map.entry("avg response time", "mean_ms"),
            Map.entry("mean response time", "mean_ms"),
            Map.entry("response time", "mean_ms"),
            Map.entry("median", "p50_ms"),
            Map.entry("med", "p50_ms"),
            Map.entry("median response time", "p50_ms"),
            Map.entry("minimum", "min_ms"),
            Map.entry("min", "min_ms"),
            Map.entry("maximum", "max_ms"),
            Map.entry("max", "max_ms"),
            Map.entry("min response time", "min_ms"),
            Map.entry("max response time", "max_ms"),
            Map.entry("error", "errors"),
            Map.entry("errors", "errors"),
            Map.entry("failures", "errors"),
            Map.entry("failure count", "errors"),
            Map.entry("ko", "errors"),
            Map.entry("error rate", "error_percent"),
            Map.entry("error %", "error_percent"),
            Map.entry("errors %", "error_percent"),
            Map.entry("% errors", "error_percent"),
            Map.entry("% error", "error_percent"),
            Map.entry("right", "right"),
            Map.entry("ok", "right"),
            Map.entry("wrong", "wrong"),
            Map.entry("rejected", "rejected"),
            Map.entry("failed", "failed"),
            Map.entry("unknown", "unknown"),
            Map.entry("lost", "lost"),
            Map.entry("shed", "shed"),
            Map.entry("tps", "tps"),
            Map.entry("rps", "tps"),
            Map.entry("throughput", "tps"),
            Map.entry("req/s", "tps"),
            Map.entry("requests/s", "tps"),
            Map.entry("requests/sec", "tps"),
            Map.entry("users", "users"),
            Map.entry("threads", "users"),
            Map.entry("clients", "users"),
            Map.entry("vus", "users"),
            Map.entry("concurrent users", "users"),
            Map.entry("time", "seconds"),
            Map.entry("duration", "seconds"),
            Map.entry("run time", "seconds"),
            Map.entry("test duration", "seconds"),
            Map.entry("think", "think_ms"),
            Map.entry("think time", "think_ms"));

    /** Parses a heading; null for an unknown column. */
    static @Nullable ColumnHeading of(String written) {
        String text = written.toLowerCase(Locale.ROOT)
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
        return key == null
                ? null
                : new ColumnHeading(
                        key.equals("errors") && given.equals("%") ? "error_percent" : key, unit(key, given));
    }

    private static @Nullable String percentile(String text) {
        Matcher percentile = PERCENTILE.matcher(text);
        boolean bare = text.matches("[0-9.]+");
        if (!percentile.matches() || bare) {
            return null;
        }
        String percent = percentile.group(1).replace(".", "");
        return percent.equals("100") ? "max_ms" : "p" + percent + "_ms";
    }

    private static String unit(String key, String given) {
        if (key.endsWith("_ms")) {
            return given.isEmpty() || given.equals("msec") ? "ms" : given;
        }
        if (key.equals("seconds")) {
            return given.isEmpty() ? "s" : given;
        }
        return key.equals("tps") ? "/" + (given.isEmpty() ? "s" : given) : "";
    }
}
