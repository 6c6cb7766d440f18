package dev.penstock.observe;

import static dev.penstock.observe.MetricFamily.family;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Unknown;
import dev.penstock.observe.MetricFamily.Point;
import dev.penstock.observe.MetricFamily.Sample;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All metrics. Their names are stable; those of pools are also HikariCP's, so that dashboards for it work.
 *
 * <p>Every cause of every ending is exported from the first scrape, starting at 0, so that rates are complete.
 */
final class MetricTables {
    /** Stages that take no time of their own and so have no histogram. */
    private static final Set<String> TIMELESS = Set.of("retry", "breaker");

    /** Counters of a transport with metrics of their own; any other is a metric of its name. */
    private static final Set<String> NAMED_COUNTERS = Set.of("messages", "datagrams", "lost", "callers");

    private static final List<MetricFamily<FlowSnapshot>> FLOW = List.of(
            family(
                    "COUNTER penstock_flow_transactions{flow,ending,cause} Transactions that ended, by ending and cause.",
                    flow -> endings(flow.account())),
            family(
                    "GAUGE penstock_flow_in_flight{flow} Transactions that have started and not ended.",
                    flow -> Stream.of(Sample.of(flow.account().inFlight()))),
            family(
                    "SECONDS penstock_stage_seconds{flow,stage} Time of transactions in a stage, in seconds.",
                    flow -> flow.stages().stream()
                            .filter(stage -> !TIMELESS.contains(stage.stage()))
                            .map(stage -> Sample.of(stage.times(), stage.stage()))),
            family(
                    "GAUGE penstock_setting{flow,name} Numeric settings, in seconds, bytes, ratios or counts.",
                    flow -> flow.settings().stream()
                            .flatMap(setting -> SettingNumber.of(setting.value()).stream()
                                    .mapToObj(number -> Sample.of(number, setting.name())))),
            family(
                    "COUNTER penstock_target_answers{flow,status} Answers of the target, by status; those of repeated attempts too.",
                    flow -> Sample.each(flow.answers())),
            family(
                    "COUNTER penstock_batches{flow,left} Batches sent to the target, by what ended their wait.",
                    flow -> Stream.ofNullable(flow.batches()).flatMap(MetricTables::batches)),
            family(
                    "SIZES penstock_batch_size{flow} Requests in each batch.",
                    flow -> Stream.ofNullable(flow.batches()).map(batches -> Sample.of(batches.sizes()))),
            family(
                    "COUNTER penstock_dedupe{flow,result} Requests with an idempotency key, by result; unwritten counts endings that could not be stored.",
                    flow -> Stream.ofNullable(flow.dedupe()).flatMap(MetricTables::dedupe)),
            family(
                    "COUNTER penstock_messages{flow,result} Messages of a queue by result; dead letters are acknowledged too.",
                    flow -> counters(
                            flow,
                            "messages",
                            result -> !Set.of("in_hand", "queued", "lag").contains(result))),
            family(
                    "GAUGE penstock_messages_in_hand{flow} Messages received and not ended.",
                    flow -> counters(flow, "messages", "in_hand"::equals).map(Sample::unlabelled)),
            family(
                    "GAUGE penstock_messages_queued{flow} Messages in the queue or subscription at the broker, as of the last few seconds.",
                    flow -> counters(flow, "messages", "queued"::equals).map(Sample::unlabelled)),
            family(
                    "GAUGE penstock_messages_lag{flow} Records of the topic that the group of the source has not completed, in all gateways, as of the last few seconds.",
                    flow -> counters(flow, "messages", "lag"::equals).map(Sample::unlabelled)),
            family(
                    "COUNTER penstock_udp_datagrams{flow,result} Datagrams by result; those of a target begin with target_.",
                    flow -> counters(flow, "datagrams", result -> !result.endsWith("waiting"))),
            family(
                    "GAUGE penstock_udp_waiting{flow,result} Datagrams received and not ended, and requests waiting for an answer (target_waiting).",
                    flow -> counters(flow, "datagrams", result -> result.endsWith("waiting"))),
            family(
                    "COUNTER penstock_udp_drops{flow,where} Lost datagrams and answers, by where; card and backlog count the whole machine.",
                    flow -> counters(flow, "lost", where -> true)),
            family(
                    "COUNTER penstock_callers{flow,result,caller} Requests by caller and what became of them before they reached the flow.",
                    flow -> flow.counters("callers").entrySet().stream()
                            .map(count ->
                                    Sample.of(count.getValue(), count.getKey().split(" ", 2)))));

    /** What is known of the connections of a target or data source. */
    private record Pool(Map<String, Long> connections, Map<String, Long> times, List<Setting> settings) {
        Stream<Sample> count(String state) {
            return connections.containsKey(state) ? Stream.of(Sample.of(now(state))) : Stream.of();
        }

        long now(String state) {
            return connections.getOrDefault(state, 0L);
        }

        Stream<Sample> setting(String name) {
            return settings.stream()
                    .filter(setting -> setting.name().equals(name))
                    .flatMap(setting ->
                            SettingNumber.of(setting.value()).stream().mapToObj(Sample::of));
        }
    }

    private static final List<MetricFamily<Pool>> POOL = List.of(
            family(
                    "GAUGE penstock_connections{flow,state} Connections of the target, by state.",
                    pool -> Sample.each(pool.connections())),
            family(
                    "COUNTER penstock_exchange_seconds{flow,part} Time of exchanges with the target, by part, in seconds.",
                    pool -> pool.times().entrySet().stream()
                            .filter(part -> !part.getKey().equals("count"))
                            .map(part -> Sample.of(part.getValue() / 1e9, part.getKey()))));

    private static final List<MetricFamily<Pool>> HIKARI = List.of(
            family(
                    "GAUGE hikaricp_connections{pool} Total connections",
                    pool -> Stream.of(Sample.of(pool.now("leased") + pool.now("idle")))),
            family("GAUGE hikaricp_connections_active{pool} Active connections", pool -> pool.count("leased")),
            family("GAUGE hikaricp_connections_idle{pool} Idle connections", pool -> pool.count("idle")),
            family("GAUGE hikaricp_connections_pending{pool} Pending threads", pool -> pool.count("pending")),
            family("GAUGE hikaricp_connections_max{pool} Max connections", pool -> pool.setting("pool.max")),
            family("GAUGE hikaricp_connections_min{pool} Min connections", pool -> pool.setting("pool.warm")));

    private static final List<MetricFamily<WatchedProcess>> PROCESS = List.of(
            family(
                    "COUNTER penstock_faults{part} Failures of threads and periodic tasks, which are restarted, by part.",
                    process -> Sample.each(process.faults())),
            family(
                    "GAUGE penstock_certificate_expiry_seconds{subject,file} When a certificate of this process expires, in seconds since 1970.",
                    process -> expiries(process)),
            family(
                    "GAUGE penstock_memory_bytes{state} Bytes of bodies and answers in memory, and the limit.",
                    process -> Stream.of("used", "limit")
                            .map(state -> Sample.of(process.memory().getOrDefault(state, 0L), state))),
            family(
                    "COUNTER penstock_memory_refused{} Bodies and answers refused because the memory budget was exhausted.",
                    process -> Stream.of(Sample.of(process.memory().getOrDefault("refused", 0L)))));

    private MetricTables() {}

    static Stream<Point> process(WatchedProcess process) {
        return Stream.concat(
                process.flows().stream().flatMap(MetricTables::flow),
                PROCESS.stream().flatMap(family -> family.points(process)));
    }

    /** All of one snapshot, so that offered is the sum of all endings and of those in flight. */
    static Stream<Point> flow(WatchedFlow watched) {
        FlowSnapshot flow = watched.snapshot();
        return Stream.of(
                        FLOW.stream().flatMap(family -> family.points(flow.name(), flow)),
                        flow.counters().keySet().stream()
                                .filter(name -> !NAMED_COUNTERS.contains(name))
                                .flatMap(name -> transport(name).points(flow.name(), flow)),
                        pool(flow.name(), flow.connections(), flow.exchangeTimes(), flow.settings()))
                .flatMap(points -> points);
    }

    static Stream<Point> pool(
            String name, Map<String, Long> connections, Map<String, Long> times, List<Setting> settings) {
        Pool pool = new Pool(connections, times, settings);
        boolean pooled = connections.keySet().containsAll(Set.of("leased", "idle"));
        return Stream.concat(POOL.stream(), pooled ? HIKARI.stream() : Stream.of())
                .flatMap(family -> family.points(name, pool));
    }

    private static MetricFamily<FlowSnapshot> transport(String name) {
        return family(
                "COUNTER penstock_" + name + "{flow,result} Counters of a transport, by result.",
                flow -> counters(flow, name, result -> true));
    }

    private static Stream<Sample> counters(FlowSnapshot flow, String name, Predicate<String> wanted) {
        return flow.counters(name).entrySet().stream()
                .filter(count -> wanted.test(count.getKey()))
                .map(count -> Sample.of(count.getValue(), count.getKey()));
    }

    private static Stream<Sample> endings(Accounting account) {
        return Stream.of(
                        Stream.of(Sample.of(account.answered(), "answered", "none")),
                        causes(account, "rejected", Rejected.Cause.values()),
                        causes(account, "failed", Failed.Cause.values()),
                        causes(account, "unknown", Unknown.Cause.values()))
                .flatMap(samples -> samples);
    }

    private static Stream<Sample> causes(Accounting account, String ending, Enum<?>[] causes) {
        Map<String, Long> counts = account.causes().getOrDefault(ending, Map.of());
        return Arrays.stream(causes)
                .map(cause -> cause.name().toLowerCase(Locale.ROOT))
                .map(cause -> Sample.of(counts.getOrDefault(cause, 0L), ending, cause));
    }

    private static Stream<Sample> batches(BatchCounts batches) {
        return batches.left().entrySet().stream()
                .map(left -> Sample.of(left.getValue(), left.getKey().label()));
    }

    private static Stream<Sample> dedupe(Dedupe.Counts counts) {
        Map<String, Long> results = new LinkedHashMap<>();
        results.put("first", counts.first());
        results.put("repeated", counts.duplicates());
        results.put("waited", counts.waited());
        results.put("settled", counts.settled());
        results.put("refused", counts.refused());
        results.put("unavailable", counts.unavailable());
        results.put("unwritten", counts.unwritten());
        return Sample.each(results);
    }

    /** One for each subject and file, the earliest: several listeners may present the same certificate. */
    private static Stream<Sample> expiries(WatchedProcess process) {
        return process.certificates().stream()
                .collect(Collectors.toMap(
                        own -> List.of(own.subject(), own.file()),
                        own -> own.until().getEpochSecond(),
                        Math::min))
                .entrySet()
                .stream()
                .map(own -> new Sample(own.getKey(), own.getValue(), Sample.NONE));
    }
}
