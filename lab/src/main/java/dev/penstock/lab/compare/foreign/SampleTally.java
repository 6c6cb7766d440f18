package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.compare.foreign.JtlSamples.Sample;
import dev.penstock.lab.measure.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Summarizes samples of another generator under the keys of result files. For one thread. */
final class SampleTally {
    private static final long MS = 1_000_000;

    private final Histogram nanos = Latency.empty();
    private final Histogram failureNanos = Latency.empty();
    private long errors;
    private long least = Long.MAX_VALUE;
    private long leastUnanswered = Long.MAX_VALUE;

    void add(Sample sample) {
        long elapsed = Math.min(sample.elapsed() * MS, Latency.MAX);
        errors += sample.success() ? 0 : 1;
        if (sample.success() || !sample.answered()) {
            nanos.recordValue(elapsed);
            least = Math.min(least, sample.elapsed());
        } else {
            failureNanos.recordValue(elapsed);
        }
        if (!sample.success() && !sample.answered()) {
            leastUnanswered = Math.min(leastUnanswered, elapsed);
        }
    }

    long count() {
        return nanos.getTotalCount() + failureNanos.getTotalCount();
    }

    /** Successful samples, and those that were never answered with the time that was waited. */
    Latency latency() {
        return Latency.of(nanos, leastUnanswered);
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
        if (nanos.getTotalCount() > 0) {
            metrics.put("min_ms", (double) least);
        }
        for (String percent : List.of("50", "90", "95", "99", "99.9")) {
            put(metrics, "p" + percent.replace(".", "") + "_ms", latency.percentile(Double.parseDouble(percent)));
        }
        put(metrics, "max_ms", latency.max());
        metrics.put("errors", (double) errors);
        long failures = failureNanos.getTotalCount();
        if (errors > failures) {
            metrics.put("unanswered", (double) (errors - failures));
            put(metrics, "unanswered_min_ms", latency.leastUnanswered());
        }
        if (failures > 0) {
            Latency ofFailures = Latency.of(failureNanos);
            metrics.put("failures", (double) failures);
            put(metrics, "failure_mean_ms", ofFailures.mean());
            put(metrics, "failure_p50_ms", ofFailures.percentile(50));
            put(metrics, "failure_p99_ms", ofFailures.percentile(99));
            put(metrics, "failure_max_ms", ofFailures.max());
        }
        return metrics;
    }

    private static void put(Map<String, Double> metrics, String key, OptionalLong nanos) {
        nanos.ifPresent(value -> metrics.put(key, value / (double) MS));
    }
}
