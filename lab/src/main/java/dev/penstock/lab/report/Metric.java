package dev.penstock.lab.report;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A metric of a result file: its key, its title, and whether higher or lower is better.
 *
 * @param key as in result files
 * @param title readable, with its unit
 * @param better which direction is better
 * @param count whether 0 is a normal value: a count, or bytes that may be absent
 */
public record Metric(String key, String title, Better better, boolean count) {
    /** Which direction is better. */
    public enum Better {
        /** Lower is better. */
        LOWER,
        /** Higher is better. */
        HIGHER,
        /** Neither: descriptive. */
        NEITHER
    }

    private static final Map<String, Metric> KNOWN = Stream.of(
                    higher("tps", "TPS"),
                    lower("mean_ms", "mean ms"),
                    lower("p50_ms", "p50 ms"),
                    lower("p90_ms", "p90 ms"),
                    lower("p95_ms", "p95 ms"),
                    lower("p99_ms", "p99 ms"),
                    lower("p999_ms", "p99.9 ms"),
                    neither("min_ms", "min ms"),
                    lower("max_ms", "max ms"),
                    lower("service_p50_ms", "service p50 ms"),
                    lower("service_p99_ms", "service p99 ms"),
                    neither("lag_p99_ms", "lag p99 ms"),
                    neither("steal_percent", "steal %"),
                    neither("knee", "knee, concurrency"),
                    neither("knee_low", "knee, low"),
                    neither("knee_high", "knee, high"),
                    higher("knee_tps", "TPS at the knee"),
                    neither("idle_kill_ms", "idle kill ms"),
                    neither("idle_lived_ms", "idle survived ms"),
                    neither("batch_best", "best batch"),
                    fewer("errors", "errors"),
                    fewer("rejected", "rejected"),
                    fewer("failed", "failed"),
                    fewer("unknown", "unknown"),
                    fewer("wrong", "wrong"),
                    fewer("lost", "lost"),
                    fewer("unanswered", "never answered"),
                    neither("unanswered_min_ms", "shortest wait for no answer ms"),
                    fewer("failures", "failures"),
                    neither("failure_mean_ms", "failures, mean ms"),
                    neither("failure_p50_ms", "failures, p50 ms"),
                    neither("failure_p99_ms", "failures, p99 ms"),
                    neither("failure_max_ms", "failures, max ms"),
                    fewer("duplicates", "duplicates"),
                    fewer("redelivered", "redelivered"),
                    fewer("beyond_in_flight", "beyond in flight"),
                    neither("kills", "kills"),
                    fewer("stale_used", "stale used"),
                    fewer("errors_header", "errors header"),
                    fewer("errors_fin", "errors fin"),
                    fewer("errors_rst", "errors rst"),
                    fewer("errors_cut", "errors cut"),
                    fewer("drops", "drops"),
                    fewer("shed", "shed"),
                    lower("cpu_us_per_tx", "CPU us/tx"),
                    lower("alloc_kb_per_tx", "KB/tx"),
                    lower("heap_peak_mb", "heap MB"),
                    lower("child_cpu_us_per_tx", "child CPU us/tx"),
                    lower("child_rss_peak_mb", "child MB"),
                    higher("per_cpu_second", "requests/CPU s"),
                    neither("of_core", "share of core"),
                    lower("gc_pause_ms", "GC ms"),
                    neither("gc_pauses", "GC pauses"),
                    neither("received_kb_per_s", "KB/s"),
                    neither("cut", "cut"),
                    lower("connections_opened", "connections"),
                    lower("downstream_calls_per_s", "calls/s"),
                    neither("batch_mean", "batch"),
                    lower("added_ms", "added ms"),
                    neither("curve_ms", "predicted added ms"),
                    lower("curve_ratio", "added / predicted"),
                    neither("in_flight_max", "in flight"),
                    neither("ceiling", "ceiling/s"),
                    higher("of_ceiling", "of ceiling"),
                    lower("stall_ms", "stall ms"),
                    neither("calm_p99_ms", "calm p99 ms"),
                    neither("of_calm", "of calm"),
                    neither("count", "count"),
                    neither("threads_max", "threads"),
                    higher("goodput", "goodput/s"),
                    higher("pps", "packets/s"),
                    higher("burst_no_loss", "burst without loss"),
                    neither("burst_lossy", "burst with loss"),
                    higher("rate_no_loss", "rate without loss"),
                    neither("rate_lossy", "rate with loss"),
                    higher("pps_little_loss", "packets/s < 0.1 % lost"),
                    neither("sender_pps", "sender alone/s"),
                    neither("sender_bound", "sender bound"),
                    neither("buffer_mb", "buffer MB"),
                    fewer("lost_percent", "lost %"),
                    fewer("uncounted", "uncounted"),
                    neither("at_socket", "at socket"),
                    neither("in_ring", "in ring"),
                    neither("in_handler", "in handler"),
                    neither("sending", "sending"),
                    lower("reject_p50_us", "reject p50 us"),
                    lower("reject_p99_us", "reject p99 us"),
                    fewer("late", "late"),
                    fewer("never_taken", "never accepted"),
                    neither("permits", "permits"),
                    higher("first_10s", "per s, first 10 s"),
                    fewer("adapt_s", "adaptation s"),
                    higher("fairness", "fairness"),
                    neither("capacity", "capacity/s"),
                    lower("worst_ms", "worst ms"),
                    lower("opening_worst_ms", "opening worst ms"),
                    lower("first_worst_ms", "first worst ms"),
                    lower("settled_worst_ms", "settled worst ms"),
                    fewer("over_100ms", "over 100 ms"),
                    neither("killed", "killed idle"),
                    neither("commit_ms", "commit ms"),
                    fewer("denied_present", "denied but present"),
                    lower("validations_per_min", "validations/min"),
                    lower("ns_per_call", "ns/call"),
                    fewer("bytes_per_call", "B/call"))
            .collect(Collectors.toUnmodifiableMap(Metric::key, Function.identity()));

    /** The metric of a key; an unknown key is descriptive and its own title. */
    public static Metric of(String key) {
        return KNOWN.getOrDefault(key, neither(key, key));
    }

    private static Metric lower(String key, String title) {
        return new Metric(key, title, Better.LOWER, false);
    }

    private static Metric higher(String key, String title) {
        return new Metric(key, title, Better.HIGHER, false);
    }

    private static Metric fewer(String key, String title) {
        return new Metric(key, title, Better.LOWER, true);
    }

    private static Metric neither(String key, String title) {
        return new Metric(key, title, Better.NEITHER, false);
    }
}
