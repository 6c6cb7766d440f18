package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import org.HdrHistogram.Histogram;

/** A Prometheus histogram with fixed buckets, derived from an HdrHistogram at each scrape. */
final class HistogramBuckets {
    private HistogramBuckets() {}

    /**
     * Converts a histogram.
     *
     * @param bounds the upper bounds of the buckets, in the unit of the metric; the last is infinite
     * @param unit the number of HdrHistogram units in one unit of the metric
     */
    static HistogramDataPointSnapshot point(Labels labels, Histogram values, double[] bounds, double unit) {
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts(values, bounds, unit)))
                .sum(values.getTotalCount() == 0 ? 0 : values.getMean() * values.getTotalCount() / unit)
                .build();
    }

    /** The number of values in each bucket, not cumulative; the client library adds them up. */
    private static long[] counts(Histogram values, double[] bounds, double unit) {
        long[] counts = new long[bounds.length];
        long below = 0;
        for (int bucket = 0; bucket < bounds.length; bucket++) {
            long upTo = Double.isInfinite(bounds[bucket])
                    ? values.getTotalCount()
                    : values.getCountBetweenValues(0, Math.round(bounds[bucket] * unit));
            counts[bucket] = upTo - below;
            below = upTo;
        }
        return counts;
    }
}
