package dev.penstock.observe;

import dev.penstock.observe.MetricFamily.Kind;
import dev.penstock.observe.MetricFamily.Point;
import dev.penstock.observe.MetricFamily.Sample;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Reads each flow once per scrape of a Prometheus registry.
 *
 * <p>The buckets of a histogram are derived from the HdrHistogram of the stage, with its precision of 1 %: the fixed ones, and
 * those of a native histogram, each 2.2 % wide.
 */
final class PrometheusExport implements MultiCollector {
    /** 2^5 buckets between each power of two and the next. */
    private static final int SCHEMA = 5;

    private final Supplier<Stream<Point>> points;

    private PrometheusExport(Supplier<Stream<Point>> points) {
        this.points = points;
    }

    static Binding bind(MeterRegistry registry, Supplier<Stream<Point>> points) {
        PrometheusExport export = new PrometheusExport(points);
        var prometheus = ((PrometheusMeterRegistry) registry).getPrometheusRegistry();
        prometheus.register(export);
        return () -> prometheus.unregister(export);
    }

    @Override
    public MetricSnapshots collect() {
        Map<String, List<Point>> byName = points.get()
                .collect(
                        Collectors.groupingBy(point -> point.family().name(), LinkedHashMap::new, Collectors.toList()));
        MetricSnapshots.Builder all = MetricSnapshots.builder();
        byName.values().forEach(family -> all.metricSnapshot(snapshot(family)));
        return all.build();
    }

    private static MetricSnapshot snapshot(List<Point> points) {
        MetricFamily<?> family = points.getFirst().family();
        return switch (family.kind()) {
            case COUNTER -> {
                CounterSnapshot.Builder counter =
                        CounterSnapshot.builder().name(family.name()).help(family.help());
                points.forEach(point -> counter.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(labels(point))
                        .value(point.sample().value())
                        .build()));
                yield counter.build();
            }
            case GAUGE -> {
                GaugeSnapshot.Builder gauge =
                        GaugeSnapshot.builder().name(family.name()).help(family.help());
                points.forEach(point -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels(point))
                        .value(point.sample().value())
                        .build()));
                yield gauge.build();
            }
            case SECONDS, SIZES -> {
                HistogramSnapshot.Builder histogram =
                        HistogramSnapshot.builder().name(family.name()).help(family.help());
                points.forEach(point -> histogram.dataPoint(histogram(point, family.kind())));
                yield histogram.build();
            }
        };
    }

    private static Labels labels(Point point) {
        return Labels.of(point.family().labels(), point.sample().labels());
    }

    private static HistogramDataPointSnapshot histogram(Point point, Kind kind) {
        Sample sample = point.sample();
        SortedMap<Integer, Long> fine = new TreeMap<>();
        long zeros = 0;
        for (HistogramIterationValue value : sample.values().recordedValues()) {
            if (value.getValueIteratedTo() == 0) {
                zeros += value.getCountAddedInThisIterationStep();
            } else {
                double binaryLog = Math.log(value.getValueIteratedTo() / kind.unit()) / Math.log(2);
                fine.merge(
                        (int) Math.ceil(binaryLog * (1 << SCHEMA)),
                        value.getCountAddedInThisIterationStep(),
                        Long::sum);
            }
        }
        return HistogramDataPointSnapshot.builder()
                .labels(labels(point))
                .classicHistogramBuckets(ClassicHistogramBuckets.of(kind.bounds(), counts(sample.values(), kind)))
                .nativeSchema(SCHEMA)
                .nativeZeroCount(zeros)
                .nativeBucketsForPositiveValues(
                        NativeHistogramBuckets.of(List.copyOf(fine.keySet()), List.copyOf(fine.values())))
                .sum(sample.sum(kind))
                .build();
    }

    /** The number of values in each bucket, not cumulative; the client library adds them up. */
    private static List<Long> counts(Histogram values, Kind kind) {
        List<Long> counts = new ArrayList<>();
        long below = 0;
        for (double bound : kind.bounds()) {
            long upTo = Double.isInfinite(bound)
                    ? values.getTotalCount()
                    : values.getCountBetweenValues(0, Math.round(bound * kind.unit()));
            counts.add(upTo - below);
            below = upTo;
        }
        return counts;
    }
}
