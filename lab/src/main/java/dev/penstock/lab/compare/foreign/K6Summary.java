package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The end-of-test summary of k6, from {@code --summary-export} or {@code handleSummary(data)}. The first has the values
 * directly under the name of a metric, the other one level deeper, under {@code values}. Times are in ms. A percentile
 * is used only with enough requests. The number of users is not used, because one may have several requests in flight
 * ({@code http.batch}). Times are of expected responses; the summary does not show which requests were never answered.
 */
final class K6Summary {
    private static final String ALL = "http_req_duration";
    private static final String RIGHT = "http_req_duration{expected_response:true}";

    /** Their names of times, and ours. */
    private static final Map<String, String> TIMES = Map.ofEntries(
            Map.entry("avg", "mean_ms"),
            Map.entry("min", "min_ms"),
            Map.entry("med", "p50_ms"),
            Map.entry("p(90)", "p90_ms"),
            Map.entry("p(95)", "p95_ms"),
            Map.entry("p(99)", "p99_ms"),
            Map.entry("p(99.9)", "p999_ms"),
            Map.entry("max", "max_ms"));

    private final JsonNode root;
    private final Map<String, Double> metrics = new LinkedHashMap<>();
    private final Map<String, String> settings = new LinkedHashMap<>(Map.of(ForeignResult.GENERATOR, "k6"));
    private String durations = ALL;

    private K6Summary(JsonNode root) {
        this.root = root;
    }

    /** Whether this is a k6 summary. */
    static boolean looksLike(JsonNode root) {
        JsonNode metrics = root.path("metrics");
        return metrics.isObject()
                && (metrics.has("iterations")
                        || metrics.has("http_reqs")
                        || metrics.has("vus")
                        || root.has("root_group"));
    }

    /**
     * Reads a summary.
     *
     * @throws IOException when it has no HTTP requests; the message does not name the file
     */
    static ResultFile read(Path file, JsonNode root) throws IOException {
        K6Summary summary = new K6Summary(root);
        summary.read();
        Contestant contestant =
                Contestant.of("http requests", Contestant.Role.OURS, summary.settings, List.of(summary.metrics));
        return ForeignResult.load("k6", file, contestant);
    }

    private void read() throws IOException {
        Double count = value("http_reqs", "count");
        if (count == null || count <= 0 || value(ALL, "avg") == null) {
            throw new IOException(
                    "it contains no HTTP requests (http_reqs, http_req_duration), and only those are compared");
        }
        metrics.put("count", count);
        Double errors = errors(count);
        Double rate = value("http_reqs", "rate");
        if (rate != null && rate > 0) {
            metrics.put("tps", errors == null ? rate : rate * (1 - errors / count));
            metrics.put("seconds", count / rate);
        }
        double timed = errors == null || errors == 0 ? count : timed(count, errors);
        TIMES.forEach((name, key) -> {
            Double time = value(durations, name);
            String percent = name.equals("med") ? "50" : name.replaceAll("[^0-9.]", "");
            if (time != null && (percent.isEmpty() || timed >= Latency.samplesFor(Double.parseDouble(percent)))) {
                metrics.put(key, time);
            }
        });
        if (errors != null) {
            metrics.put("errors", errors);
        }
    }

    /** Leaves failed requests out of the times, and returns how many are left. */
    private double timed(double count, double errors) {
        if (value(RIGHT, "avg") == null) {
            settings.put(ForeignResult.COVERS, "all requests, failed ones included: the summary has no " + RIGHT);
            return count;
        }
        durations = RIGHT;
        metrics.put("failures", errors);
        return count - errors;
    }

    /** The number of failed requests: k6 calls them "passes", because the check is whether a request failed. */
    private @Nullable Double errors(double count) {
        Double failed = value("http_req_failed", "passes");
        Double share = value("http_req_failed", "rate");
        share = share == null ? value("http_req_failed", "value") : share;
        return failed != null || share == null ? failed : (Double) (double) Math.round(share * count);
    }

    private @Nullable Double value(String metric, String name) {
        JsonNode found = root.path("metrics").path(metric);
        JsonNode value = found.path("values").isObject() ? found.path("values").path(name) : found.path(name);
        return value.isNumber() ? (Double) value.doubleValue() : null;
    }
}
