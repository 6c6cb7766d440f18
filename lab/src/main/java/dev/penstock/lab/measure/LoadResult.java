package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one load measured.
 *
 * @param load what was done, in one line for people
 * @param windowSeconds length of the measured window: from the end of the warm-up to the planned end, or, when only a count
 *     bounds the load, to the end of the last transaction
 * @param counts how the window's transactions ended
 * @param tps right answers that came within the window, for each second of it; not above the offered rate for long
 * @param response from the intended start to the end: what a caller feels
 * @param service from the actual start to the end
 * @param lag from the intended to the actual start: the generator's own lateness
 * @param inFlightMax the most transactions at once, the warm-up's included
 * @param ended transactions that ended while {@code process} was watched
 * @param process what this JVM used, and what was watched beside it, from the end of the warm-up to the end of the last transaction
 * @param validity whether the run tells something about the service
 * @param slices the measured window cut in ten equal parts, by when transactions were due, with those of the figures of
 *     {@link #metrics()} that tell something of a part; empty when it had no fixed length
 * @param timeLine what was seen from interval to interval; null when the load was too short for one
 */
public record LoadResult(
        String load,
        double windowSeconds,
        Counts counts,
        double tps,
        Latency response,
        Latency service,
        Latency lag,
        int inFlightMax,
        long ended,
        ProcessUse process,
        Validity validity,
        List<Map<String, Double>> slices,
        @Nullable TimeLine timeLine) {
    private static final double MS = 1e6;
    private static final double MB = 1 << 20;

    /**
     * The result of a finished recording.
     *
     * @param load what was done, in one line for people
     * @param recorded what came of it
     * @param inFlightMax the most transactions at once
     * @param ended transactions that ended while {@code process} was watched
     * @param process what this JVM used
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
                recorded.service(),
                lag,
                inFlightMax,
                ended,
                process,
                Validity.of(counts, response, lag),
                recorded.slices(),
                null);
    }

    /** The same with what was seen from interval to interval. */
    public LoadResult withTimeLine(@Nullable TimeLine line) {
        return new LoadResult(
                load,
                windowSeconds,
                counts,
                tps,
                response,
                service,
                lag,
                inFlightMax,
                ended,
                process,
                validity,
                slices,
                line);
    }

    /** The same, judged by something else, for an experiment whose figures a lag does not spoil. */
    public LoadResult withValidity(Validity other) {
        return new LoadResult(
                load,
                windowSeconds,
                counts,
                tps,
                response,
                service,
                lag,
                inFlightMax,
                ended,
                process,
                other,
                slices,
                timeLine);
    }

    /**
     * The numbers under the keys of result files, in milliseconds where the key says so; a number that cannot be told (a
     * percentile of too few samples) is not there. {@code errors} counts every transaction that started and got no right
     * answer; {@code rejected}, {@code unknown} and {@code lost} are among them. The {@code child_} keys are sums over the
     * processes that were watched beside this one.
     */
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = figures(counts, tps, response);
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

    /** What can be told of the transactions of any stretch of time. */
    static Map<String, Double> figures(Counts counts, double tps, Latency response) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", (double) counts.offered());
        metrics.put("tps", tps);
        put(metrics, "mean_ms", response.mean());
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
        return metrics;
    }

    private static void put(Map<String, Double> metrics, String key, OptionalLong nanos) {
        nanos.ifPresent(value -> metrics.put(key, value / MS));
    }
}
