package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of results.
 *
 * <p>Keys are those of result files ({@code count}, {@code tps}, {@code mean_ms}, {@code p99_ms}, {@code errors}, ...),
 * and {@code min_ms}, {@code seconds} (duration of the run) and {@code error_percent}.
 *
 * @param name the row's name
 * @param figures values by key; those not in the table are absent
 */
public record ResultRow(String name, Map<String, Printed> figures) {
    /** The precision of times in result files, which come from histograms with 3 digits. */
    private static final double DIGITS = 0.001;

    public ResultRow {
        figures = Map.copyOf(figures);
    }

    /**
     * A rounded number as printed.
     *
     * @param value as printed
     * @param rounding maximum rounding error, in either direction
     */
    public record Printed(double value, double rounding) {
        double low() {
            return value - rounding;
        }

        double high() {
            return value + rounding;
        }

        @Override
        public String toString() {
            return Figures.number(value);
        }
    }

    /** A row of a result file, in which only times are rounded: measured by Penstock or k6, or computed from samples. */
    public static ResultRow of(String name, Map<String, Double> metrics) {
        Map<String, Printed> figures = new LinkedHashMap<>();
        metrics.forEach((key, value) ->
                figures.put(key, new Printed(value, key.endsWith("_ms") ? DIGITS * Math.abs(value) : 0)));
        return new ResultRow(name, figures);
    }

    /** The number of transactions that its times cover: of result files, without failures. {@code count} must be present. */
    Printed timed() {
        Printed failures = find("failures");
        return new Printed(
                get("count").value() - (failures == null ? 0 : failures.value()),
                get("count").rounding());
    }

    @Nullable
    Printed find(String key) {
        return figures.get(key);
    }

    /** The value of a key that is present (see {@link #has}). */
    Printed get(String key) {
        return Objects.requireNonNull(figures.get(key), key);
    }

    boolean has(String... keys) {
        return Stream.of(keys).allMatch(figures::containsKey);
    }
}
