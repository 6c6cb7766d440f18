package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Collects the data points of one scrape by metric name. Labels alternate names and values. Not thread-safe. */
final class MetricFamilies {
    private final Map<String, CounterSnapshot.Builder> counters = new HashMap<>();
    private final Map<String, GaugeSnapshot.Builder> gauges = new HashMap<>();
    private final Map<String, HistogramSnapshot.Builder> histograms = new HashMap<>();

    void counter(String name, String help, Number value, String... labels) {
        counters.computeIfAbsent(
                        name, key -> CounterSnapshot.builder().name(name).help(help))
                .dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .value(value.doubleValue())
                        .build());
    }

    void gauge(String name, String help, Number value, String... labels) {
        gauges.computeIfAbsent(name, key -> GaugeSnapshot.builder().name(name).help(help))
                .dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .value(value.doubleValue())
                        .build());
    }

    /**
     * Adds an HdrHistogram as a histogram with fixed buckets.
     *
     * @param bounds the upper bounds of the buckets, in the unit of the metric; the last is infinite
     * @param unit the number of HdrHistogram units in one unit of the metric
     */
    void histogram(String name, String help, Histogram values, double[] bounds, double unit, String... labels) {
        histograms
                .computeIfAbsent(
                        name, key -> HistogramSnapshot.builder().name(name).help(help))
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(Labels.of(labels))
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts(values, bounds, unit)))
                        .sum(values.getTotalCount() == 0 ? 0 : values.getMean() * values.getTotalCount() / unit)
                        .build());
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

    MetricSnapshots snapshots() {
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        counters.values().forEach(family -> all.metricSnapshot(family.build()));
        gauges.values().forEach(family -> all.metricSnapshot(family.build()));
        histograms.values().forEach(family -> all.metricSnapshot(family.build()));
        return all.build();
    }
}
