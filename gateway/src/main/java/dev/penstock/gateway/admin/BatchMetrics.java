package dev.penstock.gateway.admin;

import dev.penstock.collapse.BatchCounts;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** Metrics of batches: count by trigger, and sizes. For one scrape. */
final class BatchMetrics {
    private static final double[] SIZES = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, Double.POSITIVE_INFINITY};

    private final CounterSnapshot.Builder left = CounterSnapshot.builder()
            .name("penstock_batches")
            .help("Batches sent to the target, by what ended their wait.");
    private final HistogramSnapshot.Builder sizes =
            HistogramSnapshot.builder().name("penstock_batch_size").help("Requests in each batch.");

    void add(WatchedFlow flow) {
        BatchCounts made = flow.batches();
        if (made == null) {
            return;
        }
        made.left()
                .forEach((why, count) -> left.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of("flow", flow.name(), "left", why.word()))
                        .value((double) count)
                        .build()));
        sizes.dataPoint(HistogramBuckets.point(Labels.of("flow", flow.name()), made.sizes(), SIZES, 1));
    }

    List<MetricSnapshot> snapshots() {
        return List.of(left.build(), sizes.build());
    }
}
