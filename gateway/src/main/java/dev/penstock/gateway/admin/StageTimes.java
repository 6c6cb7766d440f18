package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** The time of transactions in a stage as a Prometheus histogram, from an HdrHistogram in nanoseconds. */
final class StageTimes {
    /** Stages that take no time of their own and so have no histogram. */
    static final Set<String> TIMELESS = Set.of("retry", "breaker");

    private static final double[] BOUNDS = {
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, Double.POSITIVE_INFINITY
    };

    private StageTimes() {}

    static HistogramDataPointSnapshot point(Labels labels, Histogram times) {
        return HistogramBuckets.point(labels, times, BOUNDS, 1e9);
    }
}
