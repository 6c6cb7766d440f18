package dev.penstock.gateway.admin;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Bottleneck.StageLoad;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Target.EndpointReport;
import dev.penstock.gateway.admin.EventLog.FlowEvent;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/** The JSON answers of the admin server. Keys keep their order. */
final class AdminJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private AdminJson() {}

    static String health(WatchedGateway gateway, List<String> unreachable) {
        Map<String, Object> all = object("status", gateway.isDraining() ? "draining" : "ok");
        if (!unreachable.isEmpty()) {
            all.put("unreachable", unreachable);
        }
        return write(all);
    }

    static String ready(boolean ready, WatchedGateway gateway, List<String> outages) {
        if (!outages.isEmpty()) {
            return write(object("status", "down", "reasons", outages));
        }
        return write(Map.of("status", ready ? "ready" : gateway.isDraining() ? "draining" : "starting"));
    }

    static String flows(WatchedGateway gateway) {
        return write(Map.of(
                "flows",
                gateway.flows().stream()
                        .map(WatchedFlow::snapshot)
                        .map(AdminJson::flow)
                        .toList()));
    }

    /** A snapshot of all flows for the event stream. */
    static String snapshot(WatchedGateway gateway, Instant at, long nanos, List<Map<String, Object>> flows) {
        return write(object(
                "at",
                at.toString(),
                "seconds",
                nanos / 1e9,
                "status",
                gateway.isDraining() ? "draining" : gateway.isStarted() ? "ok" : "starting",
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
        all.put("settings", snapshot.settings().stream().map(AdminJson::values).toList());
        return all;
    }

    static String events(List<FlowEvent> events) {
        return write(events.stream()
                .map(event -> object(
                        "id", event.id(),
                        "at", event.at().toString(),
                        "flow", event.flow(),
                        "kind", event.kind(),
                        "text", event.text()))
                .toList());
    }

    static String settings(WatchedGateway gateway) {
        List<?> flows = gateway.flows().stream()
                .map(flow -> object(
                        "name",
                        flow.name(),
                        "settings",
                        flow.snapshot().settings().stream()
                                .map(AdminJson::values)
                                .toList()))
                .toList();
        return write(Map.of("flows", flows));
    }

    private static Map<String, Object> flow(FlowSnapshot snapshot) {
        Map<String, Object> all = object(
                "name", snapshot.name(),
                "from", snapshot.from(),
                "to", snapshot.to(),
                "accounting", accounting(snapshot.account()),
                "reasons", snapshot.reasons().stream().map(AdminJson::reason).toList(),
                "stages", snapshot.stages().stream().map(AdminJson::stage).toList(),
                "bottleneck", bottleneck(snapshot.bottleneck()),
                "connections", snapshot.connections(),
                "answers", snapshot.answers(),
                "servers", snapshot.servers().stream().map(AdminJson::server).toList(),
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
                "stages", bottleneck.loads().stream().map(AdminJson::load).toList());
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

    static String setting(Setting setting) {
        return write(values(setting));
    }

    /** A line of the audit file. */
    static String change(Instant at, String by, String change, String flow, String setting, String from, String to) {
        return write(object(
                "at",
                at.toString(),
                "by",
                by,
                "change",
                change,
                "flow",
                flow,
                "setting",
                setting,
                "from",
                from,
                "to",
                to));
    }

    /** A problem document (RFC 9457). */
    static String problem(int status, String detail) {
        return write(object("title", "refused", "status", status, "detail", detail));
    }

    private static Map<String, Object> values(Setting setting) {
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

    private static Map<String, Object> object(Object... keysAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            object.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return object;
    }

    private static String write(Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
