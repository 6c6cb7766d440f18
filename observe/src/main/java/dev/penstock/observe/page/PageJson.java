package dev.penstock.observe.page;

import static dev.penstock.text.Json.object;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Bottleneck.StageLoad;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Target.EndpointReport;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.EventLog.FlowEvent;
import dev.penstock.text.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The JSON of flows, settings and events. */
public final class PageJson {
    private PageJson() {}

    static String flows(WatchedProcess process) {
        Map<String, Object> all = object(
                "flows",
                process.flows().stream()
                        .map(WatchedFlow::snapshot)
                        .map(PageJson::flow)
                        .toList());
        List<Map<String, Object>> generations = process.generations();
        if (!generations.isEmpty()) {
            all.put("generations", generations);
        }
        return Json.write(all);
    }

    /** A snapshot of all flows and fleets for the event stream. */
    static String snapshot(WatchedProcess process, Instant at, long nanos, List<Map<String, Object>> flows) {
        return Json.write(object(
                "at",
                at.toString(),
                "seconds",
                nanos / 1e9,
                "status",
                process.isDraining() ? "draining" : process.isStarted() ? "ok" : "starting",
                "fleets",
                process.fleets(),
                "flows",
                flows));
    }

    /** A flow for the event stream: as in {@code /flows}, with recent stage times and settings. */
    static Map<String, Object> snapshot(FlowSnapshot snapshot, Map<String, Histogram> recent, List<String> problems) {
        Map<String, Object> all = flow(snapshot);
        all.put("problems", problems);
        Map<String, Object> recentTimes = new LinkedHashMap<>();
        recent.forEach((stage, times) -> recentTimes.put(stage, times(times)));
        all.put("recent", recentTimes);
        all.put("settings", snapshot.settings().stream().map(PageJson::values).toList());
        return all;
    }

    static String events(List<FlowEvent> events) {
        return Json.write(events.stream()
                .map(event -> object(
                        "id", event.id(),
                        "at", event.at().toString(),
                        "flow", event.flow(),
                        "kind", event.kind(),
                        "text", event.text()))
                .toList());
    }

    static String settings(WatchedProcess process) {
        List<?> flows = process.flows().stream()
                .map(flow -> object(
                        "name",
                        flow.name(),
                        "settings",
                        flow.snapshot().settings().stream()
                                .map(PageJson::values)
                                .toList()))
                .toList();
        return Json.write(Map.of("flows", flows));
    }

    /** A flow as in {@code /flows}. The map may be changed. */
    public static Map<String, Object> flow(FlowSnapshot snapshot) {
        Map<String, Object> all = object(
                "name", snapshot.name(),
                "from", snapshot.from(),
                "to", snapshot.to(),
                "accounting", accounting(snapshot.account()),
                "reasons", snapshot.reasons().stream().map(PageJson::reason).toList(),
                "stages", snapshot.stages().stream().map(PageJson::stage).toList(),
                "bottleneck", bottleneck(snapshot.bottleneck()),
                "connections", snapshot.connections(),
                "answers", snapshot.answers(),
                "servers", snapshot.servers().stream().map(PageJson::server).toList(),
                "messages", snapshot.counters("messages"),
                "datagrams", snapshot.counters("datagrams"),
                "lost", snapshot.counters("lost"),
                "advice", snapshot.advice(),
                "exchange_nanos", snapshot.exchangeTimes());
        snapshot.counters().forEach(all::putIfAbsent);
        return all;
    }

    private static Map<String, Object> accounting(Accounting account) {
        return object(
                "offered", account.offered(),
                "answered", account.answered(),
                "rejected", account.rejected(),
                "failed", account.failed(),
                "unknown", account.unknown(),
                "in_flight", account.inFlight(),
                "holds", account.isBalanced(),
                "causes", account.causes());
    }

    private static Map<String, Object> reason(Reason.Last last) {
        return object(
                "ending", last.reason().ending(),
                "cause", last.reason().cause(),
                "reason", last.reason().sentence(),
                "exceptions", last.reason().exceptions(),
                "at", last.at().toString(),
                "count", last.count());
    }

    private static Map<String, Object> bottleneck(Bottleneck bottleneck) {
        return object(
                "stage", bottleneck.stage(),
                "sentence", bottleneck.sentence(),
                "stages", bottleneck.loads().stream().map(PageJson::load).toList());
    }

    private static Map<String, Object> server(EndpointReport server) {
        return object(
                "where", server.where(),
                "outstanding", server.outstanding(),
                "calls", server.calls(),
                "failures", server.failures(),
                "rejected", server.rejected(),
                "ejections", server.ejections(),
                "ejected", server.ejected(),
                "ejected_for_ms", server.ejectedFor().toMillis());
    }

    private static Map<String, Object> load(StageLoad load) {
        return object(
                "stage", load.stage(),
                "arrivals_per_second", thousandths(load.arrivalsPerSecond()),
                "service_ms", thousandths(load.serviceMillis()),
                "in_flight", load.inFlight(),
                "queued", load.queued(),
                "utilisation", thousandths(load.utilisation()),
                "of_latency", thousandths(load.ofLatency()));
    }

    private static double thousandths(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    private static Map<String, Object> stage(StageReport stage) {
        Map<String, Object> all = object(
                "stage", stage.stage(),
                "started", stage.started(),
                "per_second", Math.round(stage.perSecond() * 10) / 10.0,
                "in_flight", stage.inFlight(),
                "capacity", stage.capacity(),
                "note", stage.note());
        all.putAll(times(stage.times()));
        return all;
    }

    /** Empty when nothing was timed. */
    private static Map<String, Object> times(Histogram times) {
        if (times.getTotalCount() == 0) {
            return Map.of();
        }
        return object(
                "count", times.getTotalCount(),
                "mean_ms", milliseconds(times.getMean()),
                "p50_ms", milliseconds((double) times.getValueAtPercentile(50)),
                "p90_ms", milliseconds((double) times.getValueAtPercentile(90)),
                "p99_ms", milliseconds((double) times.getValueAtPercentile(99)),
                "max_ms", milliseconds((double) times.getMaxValue()));
    }

    private static double milliseconds(double nanos) {
        return thousandths(nanos / 1e6);
    }

    /** The JSON of a setting. */
    public static Map<String, Object> values(Setting setting) {
        return object(
                "name", setting.name(),
                "value", setting.value(),
                "range", setting.range(),
                "reason", setting.reason(),
                "since", setting.since().toString(),
                "pinned", setting.pinned(),
                "source", setting.origin().label(),
                "pinnable", setting.pinnable(),
                "pin", setting.pin().name().toLowerCase(Locale.ROOT));
    }
}
