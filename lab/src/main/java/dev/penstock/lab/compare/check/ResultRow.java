package dev.penstock.lab.compare.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of results.
 *
 * <p>Keys are those of result files ({@code count}, {@code tps}, {@code mean_ms}, {@code p99_ms}, {@code errors}, ...),
 * and {@code min_ms}, {@code seconds} (duration of the run), {@code users}, {@code think_ms}, {@code error_percent} and
 * {@code right}.
 *
 * @param name the row's name
 * @param figures values by key; those not in the table are absent
 * @param ofAllSamples whether its percentiles are known to cover all samples
 */
public record ResultRow(String name, Map<String, PrintedNumber> figures, boolean ofAllSamples) {
    /** The precision of times in result files, which come from histograms with 3 digits. */
    private static final double DIGITS = 0.001;

    public ResultRow {
        figures = Map.copyOf(figures);
    }

    /** A row of a result file, in which only times are rounded: measured by Penstock or k6, or computed from samples. */
    public static ResultRow of(String name, Map<String, Double> metrics) {
        Map<String, PrintedNumber> figures = new LinkedHashMap<>();
        metrics.forEach((key, value) ->
                figures.put(key, new PrintedNumber(value, key.endsWith("_ms") ? DIGITS * Math.abs(value) : 0)));
        return new ResultRow(name, figures, true);
    }

    /** The number of transactions that its times cover: of result files, without failures. {@code count} must be present. */
    PrintedNumber timed() {
        PrintedNumber count = get("count");
        PrintedNumber failures = find("failures");
        return failures == null ? count : new PrintedNumber(count.value() - failures.value(), count.rounding());
    }

    @Nullable
    PrintedNumber find(String key) {
        return figures.get(key);
    }

    /** The value of a key that is present (see {@link #has}). */
    PrintedNumber get(String key) {
        return Objects.requireNonNull(figures.get(key), key);
    }

    boolean has(String... keys) {
        return Stream.of(keys).allMatch(figures::containsKey);
    }
}
