package dev.penstock.lab.compare.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table of results.
 *
 * <p>Keys are those of result files ({@code count}, {@code tps}, {@code mean_ms}, {@code p99_ms}, {@code errors}, ...), and
 * {@code min_ms}, {@code seconds} (the time of the run), {@code users} (all the time), {@code users_max} (at most),
 * {@code think_ms}, {@code error_percent} and {@code right}.
 *
 * @param name what it is of
 * @param figures by key; what the table does not tell is not there
 */
public record ResultRow(String name, Map<String, PrintedNumber> figures) {
    /** Times in result files come from histograms of 3 digits. */
    private static final double DIGITS = 0.001;

    /** Copies what it is given. */
    public ResultRow {
        figures = Map.copyOf(figures);
    }

    /** A row of a result file, which rounds nothing but times. */
    public static ResultRow of(String name, Map<String, Double> metrics) {
        Map<String, PrintedNumber> figures = new LinkedHashMap<>();
        metrics.forEach((key, value) ->
                figures.put(key, new PrintedNumber(value, key.endsWith("_ms") ? DIGITS * Math.abs(value) : 0)));
        return new ResultRow(name, figures);
    }

    @Nullable
    PrintedNumber find(String key) {
        return figures.get(key);
    }

    /** One that {@link #has} was asked for. */
    PrintedNumber get(String key) {
        return Objects.requireNonNull(figures.get(key), key);
    }

    boolean has(String... keys) {
        return Stream.of(keys).allMatch(figures::containsKey);
    }
}
