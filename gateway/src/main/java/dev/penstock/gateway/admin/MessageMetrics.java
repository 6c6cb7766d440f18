package dev.penstock.gateway.admin;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;

/** JMS source metrics: messages by result, and messages in progress. For one scrape. */
final class MessageMetrics {
    private static final String IN_HAND = "in_hand";

    private final CounterSnapshot.Builder all = CounterSnapshot.builder()
            .name("penstock_messages")
            .help("Messages of a queue by result; dead letters are acknowledged too.");
    private final GaugeSnapshot.Builder inHand =
            GaugeSnapshot.builder().name("penstock_messages_in_hand").help("Messages received and not ended.");

    void add(WatchedFlow flow) {
        flow.messages().forEach((what, count) -> {
            if (what.equals(IN_HAND)) {
                inHand.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(Labels.of("flow", flow.name()))
                        .value((double) count)
                        .build());
            } else {
                all.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of("flow", flow.name(), "result", what))
                        .value((double) count)
                        .build());
            }
        });
    }

    List<MetricSnapshot> snapshots() {
        return List.of(all.build(), inHand.build());
    }
}
