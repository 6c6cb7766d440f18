package dev.penstock.lab.race;

import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.StealNote;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The result of one block.
 *
 * @param metrics values by metric key; unknown ones are absent
 * @param percentiles for a plot: percent to milliseconds; empty without latencies
 * @param timeLine values per interval; null when not meaningful
 * @param whyInvalid one sentence when the result is not valid; null otherwise
 */
public record BlockResult(
        Map<String, Double> metrics,
        Map<String, Double> percentiles,
        @Nullable TimeLine timeLine,
        @Nullable String whyInvalid) {
    public BlockResult {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        percentiles = Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** A result with metrics only. */
    public static BlockResult of(Map<String, Double> metrics) {
        return new BlockResult(metrics, Map.of(), null, null);
    }

    /** The result of a load. */
    public static BlockResult of(LoadResult result) {
        return new BlockResult(
                result.metrics(),
                result.response().curve(),
                result.timeLine(),
                result.validity().whyInvalid());
    }

    /**
     * Adds a block's environment.
     *
     * @param stolen the CPU time stolen during the block, in percent; empty when unknown
     */
    BlockResult in(Scene scene, OptionalDouble stolen) {
        Map<String, Double> all = new LinkedHashMap<>(metrics);
        all.putAll(scene.metrics());
        stolen.ifPresent(percent -> all.put(StealNote.KEY, percent));
        return new BlockResult(
                all, percentiles, timeLine == null ? null : timeLine.withFaults(scene.faults()), whyInvalid);
    }
}
