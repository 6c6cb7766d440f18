package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one load.
 *
 * @param load the load, in one readable line
 * @param windowSeconds length of the measured window: from the end of the warm-up to the planned end, or to the end of
 *     the last transaction when only a count limits the load
 * @param counts the window's transactions by ending
 * @param tps correct answers per second that arrived within the window; cannot exceed the offered rate for long
 * @param response from the intended start to the right answer: the latency as callers see it. A transaction that was never
 *     answered counts with the time it waited, which is a lower bound, see {@link Latency#leastUnanswered}
 * @param failures from the intended start to the end, of all other transactions without a right answer
 * @param service from the actual start, of the transactions of {@code response}
 * @param lag from the intended to the actual start: the generator's own delay
 * @param inFlightMax maximum transactions in flight, including the warm-up
 * @param ended transactions that ended while {@code process} was measured
 * @param process resource use of this JVM and other watched processes, from the end of the warm-up to the end of the
 *     last transaction
 * @param validity whether the run measured the service
 * @param slices the measured window in ten equal parts, by intended start, with those {@link #metrics()} that apply to
 *     a part; empty without a fixed length
 * @param labels by label those {@link #metrics()} that apply to a part; empty without labels
 * @param timeLine values per interval; null when the load was too short
 */
public record LoadResult(
        String load,
        double windowSeconds,
        Counts counts,
        double tps,
        Latency response,
        Latency failures,
        Latency service,
        Latency lag,
        int inFlightMax,
        long ended,
        ProcessUse process,
        Validity validity,
        List<Map<String, Double>> slices,
        Map<String, Map<String, Double>> labels,
        @Nullable TimeLine timeLine) {
    private static final double MS = 1e6;
    private static final double MB = 1 << 20;
    private static final String LEAST_UNANSWERED = "unanswered_min_ms";
    private static final Pattern TIME = Pattern.compile("(service_)?(mean|min|p\\d+|max)_ms");

    /**
     * The result of a finished recording.
     *
     * @param load the load, in one readable line
     * @param recorded the recording
     * @param inFlightMax maximum transactions in flight
     * @param ended transactions that ended while {@code process} was measured
     * @param process resource use of this JVM
     */
    public static LoadResult of(String load, Recorded recorded, int inFlightMax, long ended, ProcessUse process) {
        Counts counts = recorded.counts();
        Latency response = recorded.response();
        Latency lag = recorded.lag();
        return new LoadResult(
                load,
                recorded.windowSeconds(),
                counts,
                recorded.tps(),
                response,
                recorded.failures(),
                recorded.service(),
                lag,
                inFlightMax,
                ended,
                process,
                Validity.of(counts, response, recorded.service(), lag, recorded.slices()),
                recorded.slices(),
                recorded.labels(),
                null);
    }

    /** A copy with a time line. */
    public LoadResult withTimeLine(@Nullable TimeLine line) {
        return with(validity, line);
    }

    /** A copy with another validity, for experiments that generator lag does not affect. */
    public LoadResult withValidity(Validity other) {
        return with(other, timeLine);
    }

    private LoadResult with(Validity other, @Nullable TimeLine line) {
        return new LoadResult(
                load,
                windowSeconds,
                counts,
                tps,
                response,
                failures,
                service,
                lag,
                inFlightMax,
                ended,
                process,
                other,
                slices,
                labels,
                line);
    }

    /**
     * The values by their keys in result files, in milliseconds where the key says so; unknown values (such as a
     * percentile with too few samples) are absent. {@code errors} counts all started transactions without a correct
     * answer, including {@code rejected}, {@code unknown} and {@code lost}. Times are those of {@link #response}; of the
     * errors, {@code unanswered} are in them with the time they waited, and {@code failures} are not. The {@code child_}
     * keys are sums over the other watched processes.
     */
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = figures(counts, tps, response);
        put(metrics, "failure_mean_ms", failures.mean());
        put(metrics, "failure_p50_ms", failures.percentile(50));
        put(metrics, "failure_p99_ms", failures.percentile(99));
        put(metrics, "failure_max_ms", failures.max());
        put(metrics, "service_p50_ms", service.percentile(50));
        put(metrics, "service_p99_ms", service.percentile(99));
        put(metrics, "lag_p99_ms", lag.percentile(99));
        metrics.put("in_flight_max", (double) inFlightMax);
        if (process.cpuNanos() >= 0 && ended > 0) {
            metrics.put("cpu_us_per_tx", process.cpuNanos() / 1e3 / ended);
        }
        if (process.allocatedBytes() >= 0 && ended > 0) {
            metrics.put("alloc_kb_per_tx", process.allocatedBytes() / 1024.0 / ended);
        }
        metrics.put("heap_peak_mb", process.heapPeak() / MB);
        metrics.put("gc_pauses", (double) process.gcCount());
        metrics.put("gc_pause_ms", process.gcNanos() / MS);
        metrics.put("threads_max", (double) process.threadsPeak());
        process.children().forEach(child -> {
            if (child.cpuNanos() >= 0 && ended > 0) {
                metrics.merge("child_cpu_us_per_tx", child.cpuNanos() / 1e3 / ended, Double::sum);
            }
            if (child.rssPeak() >= 0) {
                metrics.merge("child_rss_peak_mb", child.rssPeak() / MB, Double::sum);
            }
        });
        return metrics;
    }

    /** The metrics that apply to any part of the window, and to the transactions of a label. */
    static Map<String, Double> figures(Counts counts, double tps, Latency response) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", (double) counts.offered());
        metrics.put("tps", tps);
        put(metrics, "mean_ms", response.mean());
        put(metrics, "min_ms", response.min());
        put(metrics, "p50_ms", response.percentile(50));
        put(metrics, "p90_ms", response.percentile(90));
        put(metrics, "p99_ms", response.percentile(99));
        put(metrics, "p999_ms", response.percentile(99.9));
        put(metrics, "max_ms", response.max());
        metrics.put("errors", (double) counts.errors());
        metrics.put("rejected", (double) counts.rejected());
        metrics.put("failed", (double) counts.failed());
        metrics.put("unknown", (double) counts.unknown());
        metrics.put("wrong", (double) counts.wrong());
        metrics.put("lost", (double) counts.lost());
        metrics.put("shed", (double) counts.shed());
        long unanswered = response.count() - counts.right();
        if (unanswered > 0) {
            metrics.put("unanswered", (double) unanswered);
            put(metrics, LEAST_UNANSWERED, response.leastUnanswered());
        }
        if (counts.errors() > unanswered) {
            metrics.put("failures", (double) (counts.errors() - unanswered));
        }
        return metrics;
    }

    /** Whether a time is only a lower bound, because of transactions that were never answered. */
    public static boolean isLowerBound(Map<String, Double> metrics, String key) {
        Double least = metrics.get(LEAST_UNANSWERED);
        Double value = metrics.get(key);
        return least != null
                && value != null
                && TIME.matcher(key).matches()
                && (key.equals("mean_ms") || value >= least);
    }

    private static void put(Map<String, Double> metrics, String key, OptionalLong nanos) {
        nanos.ifPresent(value -> metrics.put(key, value / MS));
    }
}
