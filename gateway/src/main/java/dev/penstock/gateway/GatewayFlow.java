package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.bottleneck.Bottleneck;
import dev.penstock.collapse.BatchCounts;
import dev.penstock.dedupe.DedupeCounts;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.admin.WatchedGateway.WatchedFlow;
import dev.penstock.gateway.config.HttpFrom;
import dev.penstock.gateway.config.JmsFrom;
import dev.penstock.gateway.config.JmsTo;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.http.source.HttpSource;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.StageReport;
import dev.penstock.udp.UdpSource;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A running flow of a gateway. Thread-safe. */
record GatewayFlow(BuiltFlow built, Source source, StatusConfig.@Nullable Stored status, Setting memory, Instant since)
        implements WatchedFlow {
    GatewayFlow(BuiltFlow built, Source source, StatusConfig.@Nullable Stored status) {
        this(built, source, status, MemoryBudget.current().setting(), Instant.now());
    }

    @Override
    public String name() {
        return built.config().name();
    }

    @Override
    public String from() {
        return switch (built.config().from()) {
            case HttpFrom from ->
                "http://" + host(from) + ":" + port(from) + from.path().value();
            case JmsFrom from -> from.queue().where();
            case UdpFrom from -> from.where(port(from));
        };
    }

    /** The listen port: the bound one, or the configured one before it is bound. */
    private int port(UdpFrom from) {
        int bound = source instanceof UdpSource udp ? udp.local().getPort() : 0;
        return bound == 0 ? from.port().value() : bound;
    }

    /** Whether datagrams are answered by the reader thread and bypass all stages. */
    boolean isInline() {
        return built.config().from() instanceof UdpFrom from && from.inline().value();
    }

    private @Nullable DatagramOutcomes datagramOutcomes() {
        return source instanceof UdpSource udp ? new DatagramOutcomes(udp) : null;
    }

    private static String host(HttpFrom from) {
        String host = from.host().value();
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** The listen port: the bound one, or the configured one before it is bound. */
    int port(HttpFrom from) {
        return source instanceof HttpSource http ? http.port() : from.port().value();
    }

    @Override
    public String to() {
        return built.config().to() instanceof JmsTo to
                ? to.queue().where()
                : built.target().where();
    }

    @Override
    public Accounting accounting() {
        DatagramOutcomes datagrams = datagramOutcomes();
        return datagrams != null && isInline()
                ? datagrams.inline()
                : built.flow().accounting();
    }

    @Override
    public List<LastReasons.Last> reasons() {
        return isInline() ? List.of() : built.flow().reasons();
    }

    @Override
    public List<StageReport> stages() {
        return isInline() ? List.of() : built.flow().stages();
    }

    @Override
    public Bottleneck bottleneck() {
        return isInline()
                ? new Bottleneck(
                        "",
                        "no bottleneck: the reader thread also answers, and datagrams beyond its speed are lost",
                        List.of())
                : built.flow().bottleneck();
    }

    @Override
    public @Nullable BatchCounts batches() {
        return built.flow().batches();
    }

    @Override
    public @Nullable DedupeCounts dedupeCounts() {
        return built.flow().dedupeCounts();
    }

    @Override
    public List<Setting> settings() {
        return FlowSettings.of(this);
    }

    @Override
    public Setting pin(String setting, String value, String by) {
        return FlowSettings.fromFile(staged().pin(setting, value, by));
    }

    @Override
    public Setting unpin(String setting) {
        return FlowSettings.fromFile(staged().unpin(setting));
    }

    private Flow<?, ?> staged() {
        if (isInline()) {
            throw new IllegalArgumentException(
                    "this flow is inline and has no stages: change the setting in the flow file");
        }
        return built.flow();
    }

    @Override
    public Map<String, Long> connections() {
        if (!(source instanceof JmsSource jms)) {
            return built.connections();
        }
        Map<String, Long> all = new LinkedHashMap<>(built.connections());
        jms.connections().forEach((state, number) -> all.put("source_" + state, number));
        return all;
    }

    @Override
    public Map<String, Long> messages() {
        if (!(source instanceof JmsSource jms)) {
            return Map.of();
        }
        Map<String, Long> all = new LinkedHashMap<>(jms.counts());
        all.put("in_hand", (long) jms.inFlight());
        return all;
    }

    @Override
    public Map<String, Long> datagrams() {
        Map<String, Long> all = new LinkedHashMap<>();
        DatagramOutcomes datagrams = datagramOutcomes();
        if (datagrams != null) {
            all.putAll(datagrams.counts());
        }
        if (built.target() instanceof DatagramTarget target) {
            target.counts().forEach((what, count) -> all.put("target_" + what, count));
        }
        return all;
    }

    @Override
    public Map<String, Long> lost() {
        DatagramOutcomes datagrams = datagramOutcomes();
        return datagrams == null ? Map.of() : datagrams.lost();
    }

    @Override
    public List<String> advice() {
        return source instanceof UdpSource udp ? udp.advice() : List.of();
    }

    @Override
    public Map<String, Long> exchangeTimes() {
        return built.times();
    }

    /** The stages in order, from source to target. */
    String chain() {
        if (isInline()) {
            return "inline (on the reader thread) > target";
        }
        return String.join(" > ", built.flow().stageNames()) + " > target";
    }
}
