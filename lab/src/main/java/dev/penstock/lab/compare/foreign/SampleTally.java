package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.measure.Latency;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Summarizes samples of another generator under the keys of result files. For one thread. */
final class SampleTally {
    private static final long MS = 1_000_000;
    private static final long MAX_MS = 3_600_000;

    private final Histogram nanos = new Histogram(1_000, MAX_MS * MS, 3);
    private long errors;
    private long least = Long.MAX_VALUE;

    void add(long elapsedMs, boolean success) {
        nanos.recordValue(Math.min(elapsedMs, MAX_MS) * MS);
        least = Math.min(least, elapsedMs);
        errors += success ? 0 : 1;
    }

    long count() {
        return nanos.getTotalCount();
    }

    /** The distribution of all times, including failed samples, as the generator itself reports it. */
    Latency latency() {
        return Latency.of(nanos);
    }

    /**
     * The metrics.
     *
     * @param seconds duration of the samples; without it there is no rate
     */
    Map<String, Double> metrics(double seconds) {
        Latency latency = latency();
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", (double) count());
        if (seconds > 0) {
            metrics.put("tps", (count() - errors) / seconds);
            metrics.put("seconds", seconds);
        }
        put(metrics, "mean_ms", latency.mean());
        if (count() > 0) {
            metrics.put("min_ms", (double) least);
        }
        put(metrics, "p50_ms", latency.percentile(50));
        put(metrics, "p90_ms", latency.percentile(90));
        put(metrics, "p95_ms", latency.percentile(95));
        put(metrics, "p99_ms", latency.percentile(99));
        put(metrics, "p999_ms", latency.percentile(99.9));
        put(metrics, "max_ms", latency.max());
        metrics.put("errors", (double) errors);
        return metrics;
    }

    private static void put(Map<String, Double> metrics, String key, OptionalLong nanos) {
        nanos.ifPresent(value -> metrics.put(key, value / (double) MS));
    }
}
