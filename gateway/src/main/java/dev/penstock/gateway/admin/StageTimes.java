package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** A Prometheus histogram of fixed buckets, derived from an HdrHistogram of nanoseconds at the time of a scrape. */
final class StageTimes {
    /** Stages that take no time of their own and so have no histogram. */
    static final Set<String> TIMELESS = Set.of("retry", "breaker");

    private static final double[] BOUNDS = {
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, Double.POSITIVE_INFINITY
    };

    private StageTimes() {}

    static HistogramDataPointSnapshot point(Labels labels, Histogram times) {
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, counts(times)))
                .sum(times.getTotalCount() == 0 ? 0 : times.getMean() * times.getTotalCount() / 1e9)
                .build();
    }

    /** How many times fall into each bucket alone; the client library adds them up. */
    private static long[] counts(Histogram times) {
        long[] counts = new long[BOUNDS.length];
        long below = 0;
        for (int bucket = 0; bucket < BOUNDS.length; bucket++) {
            long upTo = Double.isInfinite(BOUNDS[bucket])
                    ? times.getTotalCount()
                    : times.getCountBetweenValues(0, Math.round(BOUNDS[bucket] * 1e9));
            counts[bucket] = upTo - below;
            below = upTo;
        }
        return counts;
    }
}
