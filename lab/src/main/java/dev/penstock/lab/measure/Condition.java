package dev.penstock.lab.measure;

import dev.penstock.text.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on a result that makes a run fail: a metric, a comparison and a value, for instance {@code p99>250ms},
 * {@code errors>0}, {@code errors>0.1%} or {@code tps<190}.
 *
 * <p>Metrics are the keys of result files without their unit. Times are compared with a duration, transaction counts
 * with a number or a percentage of those offered, everything else with a number.
 *
 * @param text as entered
 */
public record Condition(String text, String key, boolean above, double bound, boolean share) {
    private static final Pattern FORMAT = Pattern.compile("([a-z][a-z0-9_.]*)\\s*([<>])\\s*([0-9][0-9.]*)([a-z%]*)");
    private static final Map<String, String> TIMES = Map.ofEntries(
            Map.entry("mean", "mean_ms"),
            Map.entry("p50", "p50_ms"),
            Map.entry("p90", "p90_ms"),
            Map.entry("p99", "p99_ms"),
            Map.entry("p999", "p999_ms"),
            Map.entry("p99.9", "p999_ms"),
            Map.entry("max", "max_ms"),
            Map.entry("lag_p99", "lag_p99_ms"),
            Map.entry("service_p50", "service_p50_ms"),
            Map.entry("service_p99", "service_p99_ms"));
    private static final List<String> COUNTS =
            List.of("errors", "rejected", "failed", "unknown", "wrong", "lost", "shed");
    private static final List<String> NUMBERS = List.of(
            "tps",
            "count",
            "cpu_us_per_tx",
            "alloc_kb_per_tx",
            "heap_peak_mb",
            "in_flight_max",
            "child_cpu_us_per_tx",
            "child_rss_peak_mb");

    /**
     * Parses a condition.
     *
     * @param text as entered
     * @return the condition
     * @throws IllegalArgumentException when it is not valid; the message says what to write
     */
    public static Condition parse(String text) {
        Matcher written = FORMAT.matcher(text.toLowerCase(Locale.ROOT).strip());
        if (!written.matches()) {
            throw wrong(text, "write a metric, < or >, and a value");
        }
        String metric = written.group(1);
        boolean above = written.group(2).equals(">");
        String unit = written.group(4);
        if (TIMES.containsKey(metric)) {
            double ms = Durations.nanos(Durations.parse(written.group(3) + unit)) / 1e6;
            return new Condition(text, TIMES.get(metric), above, ms, false);
        }
        if (!COUNTS.contains(metric) && !NUMBERS.contains(metric)) {
            throw wrong(
                    text,
                    "\"" + metric + "\" is not a metric, use one of "
                            + String.join(", ", TIMES.keySet().stream().sorted().toList()) + ", "
                            + String.join(", ", COUNTS) + ", "
                            + String.join(", ", NUMBERS));
        }
        boolean share = unit.equals("%") && COUNTS.contains(metric);
        if (!unit.isEmpty() && !share) {
            throw wrong(text, "\"" + metric + "\" is compared with a plain number");
        }
        return new Condition(text, metric, above, number(text, written.group(3)), share);
    }

    /**
     * Whether a result meets the condition. A metric that the result does not have also meets it, and so does a lower bound
     * below the value, because nothing shows that the limit was kept.
     *
     * @param result the measurements
     */
    public boolean isMetBy(LoadResult result) {
        Map<String, Double> metrics = result.metrics();
        Double value = metrics.get(key);
        if (value == null || (above && LoadResult.isLowerBound(metrics, key))) {
            return true;
        }
        double compared = share ? 100 * value / Math.max(1, result.counts().offered()) : value;
        return above ? compared > bound : compared < bound;
    }

    /** Whether a result that meets the condition shows that it is met; false when it only does not show the contrary. */
    public boolean isKnownBy(LoadResult result) {
        Map<String, Double> metrics = result.metrics();
        Double value = metrics.get(key);
        return value != null && !(above && LoadResult.isLowerBound(metrics, key) && value <= bound);
    }

    private static double number(String text, String digits) {
        try {
            return Double.parseDouble(digits);
        } catch (NumberFormatException e) {
            throw wrong(text, "\"" + digits + "\" is not a number");
        }
    }

    private static IllegalArgumentException wrong(String text, String remedy) {
        return new IllegalArgumentException("\"" + text + "\" is not a condition: " + remedy
                + ", for instance p99>250ms, errors>0, errors>0.1% or tps<190");
    }
}
