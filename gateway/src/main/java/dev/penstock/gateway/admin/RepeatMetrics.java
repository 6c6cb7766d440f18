package dev.penstock.gateway.admin;

import dev.penstock.dedupe.Repeats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** The keys of flows that carry each once: what came of requests that bore one. For one scrape. */
final class RepeatMetrics {
    private final CounterSnapshot.Builder results = CounterSnapshot.builder()
            .name("penstock_dedupe")
            .help(
                    "Requests with a key, by what came of them; unwritten are endings that the ledger could not be told.");

    void add(WatchedFlow flow) {
        Repeats repeats = flow.repeats();
        if (repeats == null) {
            return;
        }
        add(flow, "first", repeats.first());
        add(flow, "repeated", repeats.repeated());
        add(flow, "waited", repeats.waited());
        add(flow, "settled", repeats.settled());
        add(flow, "refused", repeats.refused());
        add(flow, "unavailable", repeats.unavailable());
        add(flow, "unwritten", repeats.unwritten());
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
