package dev.penstock.gateway.admin;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.StageReport;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics of the flows. Their names are stable.
 *
 * <h2>Design note</h2>
 *
 * <p>A gauge or function counter of Micrometer reads one number at a time, so the counters of a flow in one scrape
 * would be of different instants and would not add up. This collector reads each flow once per scrape, so that offered
 * (the sum of all endings and of those in flight) is of one instant. It also keeps the names unchanged, and derives the
 * buckets of {@code penstock_stage_seconds} from the HdrHistogram of the stage, with its precision of 1 %.
 *
 * <p>Every cause of every ending is exported from the first scrape, starting at 0, so that rates are complete.
 */
final class FlowMetrics implements MultiCollector {
    /** The cause label of answered transactions. */
    private static final String NO_CAUSE = "none";

    private final WatchedGateway gateway;

    FlowMetrics(WatchedGateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public MetricSnapshots collect() {
        CounterSnapshot.Builder transactions = CounterSnapshot.builder()
                .name("penstock_flow_transactions")
                .help("Transactions that ended, by ending and cause.");
        GaugeSnapshot.Builder inFlight = GaugeSnapshot.builder()
                .name("penstock_flow_in_flight")
                .help("Transactions that have started and not ended.");
        HistogramSnapshot.Builder seconds = HistogramSnapshot.builder()
                .name("penstock_stage_seconds")
                .help("Time of transactions in a stage, in seconds.");
        GaugeSnapshot.Builder settings = GaugeSnapshot.builder()
                .name("penstock_setting")
                .help("Numeric settings, in seconds, bytes, ratios or counts.");
        GaugeSnapshot.Builder connections =
                GaugeSnapshot.builder().name("penstock_connections").help("Connections of the target, by state.");
        CounterSnapshot.Builder exchanges = CounterSnapshot.builder()
                .name("penstock_exchange_seconds")
                .help("Time of exchanges with the target, by part, in seconds.");
        BatchMetrics batches = new BatchMetrics();
        RepeatMetrics repeats = new RepeatMetrics();
        MessageMetrics messages = new MessageMetrics();
        DatagramMetrics datagrams = new DatagramMetrics();
        for (WatchedFlow flow : gateway.flows()) {
            batches.add(flow);
            repeats.add(flow);
            messages.add(flow);
            datagrams.add(flow);
            Accounting account = flow.accounting();
            count(transactions, flow.name(), account);
            inFlight.dataPoint(gauge((double) account.inFlight(), Labels.of("flow", flow.name())));
            flow.stages().forEach(stage -> time(seconds, flow.name(), stage));
            settings(settings, flow);
            flow.connections()
                    .forEach((state, number) -> connections.dataPoint(
                            gauge((double) number, Labels.of("flow", flow.name(), "state", state))));
            flow.exchangeTimes().forEach((part, nanos) -> spent(exchanges, flow.name(), part, nanos));
        }
        List<MetricSnapshot> all = new ArrayList<>(List.of(
                transactions.build(),
                inFlight.build(),
                seconds.build(),
                settings.build(),
                connections.build(),
                exchanges.build()));
        all.addAll(batches.snapshots());
        all.addAll(messages.snapshots());
        all.addAll(datagrams.snapshots());
        all.add(repeats.snapshot());
        all.add(faults());
        all.addAll(memory());
        return new MetricSnapshots(all);
    }

    private List<MetricSnapshot> memory() {
        MemoryBudget budget = gateway.memory();
        return List.of(
                GaugeSnapshot.builder()
                        .name("penstock_memory_bytes")
                        .help("Bytes of bodies and answers in memory, and the limit.")
                        .dataPoint(gauge((double) budget.used(), Labels.of("state", "used")))
                        .dataPoint(gauge((double) budget.limit(), Labels.of("state", "limit")))
                        .build(),
                CounterSnapshot.builder()
                        .name("penstock_memory_refused")
                        .help("Bodies and answers refused because the memory budget was exhausted.")
                        .dataPoint(CounterDataPointSnapshot.builder()
                                .value((double) budget.refused())
                                .build())
                        .build());
    }

    private CounterSnapshot faults() {
        CounterSnapshot.Builder faults = CounterSnapshot.builder()
                .name("penstock_faults")
                .help("Failures of threads and periodic tasks of this gateway, which are restarted, by part.");
        gateway.supervisor()
                .faults()
                .forEach((part, count) -> faults.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(Labels.of("part", part))
                        .value((double) count)
                        .build()));
        return faults.build();
    }

    private static void count(CounterSnapshot.Builder counter, String flow, Accounting account) {
        counter.dataPoint(ended(flow, "answered", NO_CAUSE, account.answered()));
        causes(counter, flow, "rejected", Rejected.Cause.values(), account);
        causes(counter, flow, "failed", Failed.Cause.values(), account);
        causes(counter, flow, "unknown", Unknown.Cause.values(), account);
    }

    private static void causes(
            CounterSnapshot.Builder counter, String flow, String ending, Enum<?>[] causes, Accounting account) {
        Map<String, Long> counts = account.causes().getOrDefault(ending, Map.of());
        for (Enum<?> cause : causes) {
            String word = cause.name().toLowerCase(Locale.ROOT);
            counter.dataPoint(ended(flow, ending, word, counts.getOrDefault(word, 0L)));
        }
    }

    private static CounterDataPointSnapshot ended(String flow, String ending, String cause, long count) {
        return CounterDataPointSnapshot.builder()
                .labels(Labels.of("flow", flow, "ending", ending, "cause", cause))
                .value((double) count)
                .build();
    }

    private static void spent(CounterSnapshot.Builder counter, String flow, String part, long nanos) {
        if (!part.equals("count")) {
            counter.dataPoint(CounterDataPointSnapshot.builder()
                    .labels(Labels.of("flow", flow, "part", part))
                    .value(nanos / 1e9)
                    .build());
        }
    }

    private static GaugeDataPointSnapshot gauge(double value, Labels labels) {
        return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    private static void time(HistogramSnapshot.Builder seconds, String flow, StageReport stage) {
        if (!StageTimes.TIMELESS.contains(stage.stage())) {
            seconds.dataPoint(StageTimes.point(Labels.of("flow", flow, "stage", stage.stage()), stage.times()));
        }
    }

    private static void settings(GaugeSnapshot.Builder gauges, WatchedFlow flow) {
        flow.settings()
                .forEach(setting -> SettingNumber.of(setting.value())
                        .ifPresent(number -> gauges.dataPoint(
                                gauge(number, Labels.of("flow", flow.name(), "name", setting.name())))));
    }
}
