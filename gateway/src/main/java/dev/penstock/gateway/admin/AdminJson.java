package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.bottleneck.Bottleneck;
import dev.penstock.bottleneck.StageLoad;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.StageReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;

/** What the gateway shows of itself, as JSON. Keys keep their order. */
final class AdminJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private AdminJson() {}

    static String health(WatchedGateway gateway) {
        return write(Map.of("status", gateway.isDraining() ? "draining" : "ok"));
    }

    static String ready(boolean ready, WatchedGateway gateway) {
        return write(Map.of("status", ready ? "ready" : gateway.isDraining() ? "draining" : "starting"));
    }

    static String flows(WatchedGateway gateway) {
        return write(
                Map.of("flows", gateway.flows().stream().map(AdminJson::flow).toList()));
    }

    static String settings(WatchedGateway gateway) {
        List<?> flows = gateway.flows().stream()
                .map(flow -> object(
                        "name",
                        flow.name(),
                        "settings",
                        flow.settings().stream().map(AdminJson::values).toList()))
                .toList();
        return write(Map.of("flows", flows));
    }

    private static Map<String, Object> flow(WatchedFlow flow) {
        Accounting account = flow.accounting();
        return object(
                "name", flow.name(),
                "from", flow.from(),
                "to", flow.to(),
                "accounting", accounting(account),
                "stages", flow.stages().stream().map(AdminJson::stage).toList(),
                "bottleneck", bottleneck(flow.bottleneck()),
                "connections", flow.connections(),
                "messages", flow.messages(),
                "datagrams", flow.datagrams(),
                "lost", flow.lost(),
                "advice", flow.advice(),
                "exchange_nanos", flow.exchangeTimes());
    }

    private static Map<String, Object> accounting(Accounting account) {
        return object(
                "offered", account.offered(),
                "answered", account.answered(),
                "rejected", account.rejected(),
                "failed", account.failed(),
                "unknown", account.unknown(),
                "in_flight", account.inFlight(),
                "holds", account.holds(),
                "causes", account.causes());
    }

    private static Map<String, Object> bottleneck(Bottleneck bottleneck) {
        return object(
                "stage", bottleneck.stage(),
                "sentence", bottleneck.sentence(),
                "stages", bottleneck.loads().stream().map(AdminJson::load).toList());
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
        Histogram times = stage.times();
        if (times.getTotalCount() > 0) {
            all.put("count", times.getTotalCount());
            all.put("mean_ms", milliseconds(times.getMean()));
            all.put("p50_ms", milliseconds((double) times.getValueAtPercentile(50)));
            all.put("p90_ms", milliseconds((double) times.getValueAtPercentile(90)));
            all.put("p99_ms", milliseconds((double) times.getValueAtPercentile(99)));
            all.put("max_ms", milliseconds((double) times.getMaxValue()));
        }
        return all;
    }

    private static double milliseconds(double nanos) {
        return thousandths(nanos / 1e6);
    }

    static String setting(Setting setting) {
        return write(values(setting));
    }

    /** By RFC 9457. */
    static String problem(int status, String detail) {
        return write(object("title", "the setting stays as it is", "status", status, "detail", detail));
    }

    private static Map<String, Object> values(Setting setting) {
        return object(
                "name", setting.name(),
                "value", setting.value(),
                "range", setting.range(),
                "reason", setting.reason(),
                "since", setting.since().toString(),
                "pinned", setting.pinned(),
                "source", setting.origin().word(),
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
