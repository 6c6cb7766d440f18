package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;

/** UDP metrics: datagrams by result, waiting ones, and drops. For one scrape. */
final class DatagramMetrics {
    private static final String WAITING = "waiting";

    private final CounterSnapshot.Builder drops = CounterSnapshot.builder()
            .name("penstock_udp_drops")
            .help("Lost datagrams and answers, by where; card and backlog count the whole machine.");
    private final CounterSnapshot.Builder all = CounterSnapshot.builder()
            .name("penstock_udp_datagrams")
            .help("Datagrams by result; those of a target begin with target_.");
    private final GaugeSnapshot.Builder waiting = GaugeSnapshot.builder()
            .name("penstock_udp_waiting")
            .help("Datagrams received and not ended, and requests waiting for an answer (target_waiting).");

    void add(WatchedFlow flow) {
        flow.lost()
                .forEach((where, count) ->
                        drops.dataPoint(point(Labels.of("flow", flow.name(), "where", where), count)));
        for (Map.Entry<String, Long> entry : flow.datagrams().entrySet()) {
            Labels labels = Labels.of("flow", flow.name(), "result", entry.getKey());
            if (entry.getKey().endsWith(WAITING)) {
                waiting.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value((double) entry.getValue())
                        .build());
            } else {
                all.dataPoint(point(labels, entry.getValue()));
            }
        }
    }

    private static CounterDataPointSnapshot point(Labels labels, long count) {
        return CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) count)
                .build();
    }

    List<MetricSnapshot> snapshots() {
        return List.of(drops.build(), all.build(), waiting.build());
    }
}
