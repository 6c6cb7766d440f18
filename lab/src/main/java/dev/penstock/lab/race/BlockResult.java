package dev.penstock.lab.race;

import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one block gave.
 *
 * @param metrics the figures by metric key; one that could not be told is not there
 * @param percentiles for a plot: percent to milliseconds; empty where nothing was timed
 * @param timeLine what was seen from interval to interval; null where that says nothing
 * @param whyInvalid one sentence when the figures may not be believed; null otherwise
 */
public record BlockResult(
        Map<String, Double> metrics,
        Map<String, Double> percentiles,
        @Nullable TimeLine timeLine,
        @Nullable String whyInvalid) {
    /** Copies what it is given, in its order. */
    public BlockResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        percentiles = Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** Figures alone. */
    public static BlockResult of(Map<String, Double> metrics) {
        return new BlockResult(metrics, Map.of(), null, null);
    }

    /** The figures of a load. */
    public static BlockResult of(LoadResult result) {
        return new BlockResult(
                result.metrics(),
                result.response().curve(),
                result.timeLine(),
                result.validity().whyInvalid());
    }
}
