package dev.penstock.gateway.admin;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** Stages that take no time of their own and so have no histogram. */
    private static final Set<String> TIMELESS = Set.of("retry", "breaker");

    private static final double[] SECONDS = {
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, Double.POSITIVE_INFINITY
    };
    private static final double[] SIZES = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, Double.POSITIVE_INFINITY};

    private final WatchedGateway gateway;

    FlowMetrics(WatchedGateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public MetricSnapshots collect() {
        MetricFamilies families = new MetricFamilies();
        for (WatchedFlow each : gateway.flows()) {
            FlowSnapshot flow = each.snapshot();
            transactions(flow.name(), flow.account(), families);
            families.gauge(
                    "penstock_flow_in_flight",
                    "Transactions that have started and not ended.",
                    flow.account().inFlight(),
                    "flow",
                    flow.name());
            stages(flow, families);
            settings(flow, families);
            connections(flow, families);
            answers(flow, families);
            batches(flow, families);
            dedupe(flow, families);
            flow.counters().forEach((family, counts) -> counters(flow, family, counts, families));
        }
        gateway(families);
        return families.snapshots();
    }

    private static void transactions(String flow, Accounting account, MetricFamilies families) {
        ended(flow, "answered", NO_CAUSE, account.answered(), families);
        causes(flow, "rejected", Rejected.Cause.values(), account, families);
        causes(flow, "failed", Failed.Cause.values(), account, families);
        causes(flow, "unknown", Unknown.Cause.values(), account, families);
    }

    private static void causes(
            String flow, String ending, Enum<?>[] causes, Accounting account, MetricFamilies families) {
        Map<String, Long> counts = account.causes().getOrDefault(ending, Map.of());
        for (Enum<?> cause : causes) {
            String word = cause.name().toLowerCase(Locale.ROOT);
            ended(flow, ending, word, counts.getOrDefault(word, 0L), families);
        }
    }

    private static void ended(String flow, String ending, String cause, long count, MetricFamilies families) {
        families.counter(
                "penstock_flow_transactions",
                "Transactions that ended, by ending and cause.",
                count,
                "flow",
                flow,
                "ending",
                ending,
                "cause",
                cause);
    }

    private static void stages(FlowSnapshot flow, MetricFamilies families) {
        String help = "Time of transactions in a stage, in seconds.";
        flow.stages().stream()
                .filter(stage -> !TIMELESS.contains(stage.stage()))
                .forEach(stage -> families.histogram(
                        "penstock_stage_seconds",
                        help,
                        stage.times(),
                        SECONDS,
                        1e9,
                        "flow",
                        flow.name(),
                        "stage",
                        stage.stage()));
    }

    private static void settings(FlowSnapshot flow, MetricFamilies families) {
        String help = "Numeric settings, in seconds, bytes, ratios or counts.";
        flow.settings()
                .forEach(setting -> SettingNumber.of(setting.value())
                        .ifPresent(number -> families.gauge(
                                "penstock_setting", help, number, "flow", flow.name(), "name", setting.name())));
    }

    private static void connections(FlowSnapshot flow, MetricFamilies families) {
        String help = "Connections of the target, by state.";
        flow.connections()
                .forEach((state, number) ->
                        families.gauge("penstock_connections", help, number, "flow", flow.name(), "state", state));
        String timeHelp = "Time of exchanges with the target, by part, in seconds.";
        flow.exchangeTimes().forEach((part, nanos) -> {
            if (!part.equals("count")) {
                families.counter("penstock_exchange_seconds", timeHelp, nanos / 1e9, "flow", flow.name(), "part", part);
            }
        });
    }

    private static void answers(FlowSnapshot flow, MetricFamilies families) {
        String help = "Answers of the target, by status; those of repeated attempts too.";
        flow.answers()
                .forEach((status, count) -> families.counter(
                        "penstock_target_answers", help, count, "flow", flow.name(), "status", status.toString()));
    }

    private static void batches(FlowSnapshot flow, MetricFamilies families) {
        BatchCounts batches = flow.batches();
        if (batches != null) {
            String help = "Batches sent to the target, by what ended their wait.";
            batches.left()
                    .forEach((why, count) -> families.counter(
                            "penstock_batches", help, count, "flow", flow.name(), "left", why.label()));
            families.histogram(
                    "penstock_batch_size", "Requests in each batch.", batches.sizes(), SIZES, 1, "flow", flow.name());
        }
    }

    private static void dedupe(FlowSnapshot flow, MetricFamilies families) {
        Dedupe.Counts counts = flow.dedupe();
        if (counts != null) {
            dedupeResult(flow, "first", counts.first(), families);
            dedupeResult(flow, "repeated", counts.duplicates(), families);
            dedupeResult(flow, "waited", counts.waited(), families);
            dedupeResult(flow, "settled", counts.settled(), families);
            dedupeResult(flow, "refused", counts.refused(), families);
            dedupeResult(flow, "unavailable", counts.unavailable(), families);
            dedupeResult(flow, "unwritten", counts.unwritten(), families);
        }
    }

    private static void dedupeResult(FlowSnapshot flow, String result, long count, MetricFamilies families) {
        families.counter(
                "penstock_dedupe",
                "Requests with an idempotency key, by result; unwritten counts endings that could not be stored.",
                count,
                "flow",
                flow.name(),
                "result",
                result);
    }

    private static void counters(FlowSnapshot flow, String family, Map<String, Long> counts, MetricFamilies families) {
        switch (family) {
            case "messages" -> messages(flow, counts, families);
            case "datagrams" -> datagrams(flow, counts, families);
            case "lost" -> lost(flow, counts, families);
            case "callers" -> callers(flow, counts, families);
            default -> {
                String help = "Counters of a transport, by result.";
                counts.forEach((result, count) ->
                        families.counter("penstock_" + family, help, count, "flow", flow.name(), "result", result));
            }
        }
    }

    private static void messages(FlowSnapshot flow, Map<String, Long> counts, MetricFamilies families) {
        String help = "Messages of a queue by result; dead letters are acknowledged too.";
        String inHandHelp = "Messages received and not ended.";
        String queuedHelp = "Messages in the queue or subscription at the broker, as of the last few seconds.";
        counts.forEach((result, count) -> {
            switch (result) {
                case "in_hand" -> families.gauge("penstock_messages_in_hand", inHandHelp, count, "flow", flow.name());
                case "queued" -> families.gauge("penstock_messages_queued", queuedHelp, count, "flow", flow.name());
                default -> families.counter("penstock_messages", help, count, "flow", flow.name(), "result", result);
            }
        });
    }

    private static void datagrams(FlowSnapshot flow, Map<String, Long> counts, MetricFamilies families) {
        String help = "Datagrams by result; those of a target begin with target_.";
        String waitingHelp = "Datagrams received and not ended, and requests waiting for an answer (target_waiting).";
        counts.forEach((result, count) -> {
            if (result.endsWith("waiting")) {
                families.gauge("penstock_udp_waiting", waitingHelp, count, "flow", flow.name(), "result", result);
            } else {
                families.counter("penstock_udp_datagrams", help, count, "flow", flow.name(), "result", result);
            }
        });
    }

    private static void lost(FlowSnapshot flow, Map<String, Long> counts, MetricFamilies families) {
        String help = "Lost datagrams and answers, by where; card and backlog count the whole machine.";
        counts.forEach((where, count) ->
                families.counter("penstock_udp_drops", help, count, "flow", flow.name(), "where", where));
    }

    private static void callers(FlowSnapshot flow, Map<String, Long> counts, MetricFamilies families) {
        String help = "Requests by caller and what became of them before they reached the flow.";
        counts.forEach((key, count) -> {
            String[] resultAndCaller = key.split(" ", 2);
            families.counter(
                    "penstock_callers",
                    help,
                    count,
                    "flow",
                    flow.name(),
                    "caller",
                    resultAndCaller[1],
                    "result",
                    resultAndCaller[0]);
        });
    }

    private void gateway(MetricFamilies families) {
        String help = "Failures of threads and periodic tasks of this gateway, which are restarted, by part.";
        gateway.supervisor()
                .faults()
                .forEach((part, count) -> families.counter("penstock_faults", help, count, "part", part));
        String expiryHelp = "When a certificate of this gateway expires, in seconds since 1970.";
        gateway.tls().stream()
                .flatMap(tls -> tls.certificates().stream())
                .collect(Collectors.toMap(
                        own -> List.of(own.subject(), own.file().toString()),
                        own -> own.until().getEpochSecond(),
                        Math::min))
                .forEach((own, until) -> families.gauge(
                        "penstock_certificate_expiry_seconds",
                        expiryHelp,
                        until,
                        "subject",
                        own.getFirst(),
                        "file",
                        own.getLast()));
        MemoryBudget budget = gateway.memory();
        String memoryHelp = "Bytes of bodies and answers in memory, and the limit.";
        families.gauge("penstock_memory_bytes", memoryHelp, budget.used(), "state", "used");
        families.gauge("penstock_memory_bytes", memoryHelp, budget.limit(), "state", "limit");
        families.counter(
                "penstock_memory_refused",
                "Bodies and answers refused because the memory budget was exhausted.",
                budget.refused());
    }
}
