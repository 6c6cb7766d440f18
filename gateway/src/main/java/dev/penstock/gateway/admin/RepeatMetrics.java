package dev.penstock.gateway.admin;

import dev.penstock.dedupe.DedupeCounts;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** Dedupe metrics: requests with a key, by result. For one scrape. */
final class RepeatMetrics {
    private final CounterSnapshot.Builder results = CounterSnapshot.builder()
            .name("penstock_dedupe")
            .help("Requests with an idempotency key, by result; unwritten counts endings that could not be stored.");

    void add(WatchedFlow flow) {
        DedupeCounts dedupeCounts = flow.dedupeCounts();
        if (dedupeCounts == null) {
            return;
        }
        add(flow, "first", dedupeCounts.first());
        add(flow, "repeated", dedupeCounts.repeated());
        add(flow, "waited", dedupeCounts.waited());
        add(flow, "settled", dedupeCounts.settled());
        add(flow, "refused", dedupeCounts.refused());
        add(flow, "unavailable", dedupeCounts.unavailable());
        add(flow, "unwritten", dedupeCounts.unwritten());
    }

    private void add(WatchedFlow flow, String result, long count) {
        results.dataPoint(CounterDataPointSnapshot.builder()
                .labels(Labels.of("flow", flow.name(), "result", result))
                .value((double) count)
                .build());
    }

    CounterSnapshot snapshot() {
        return results.build();
    }
}
