package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.HttpFrom;
import dev.penstock.gateway.config.JmsFrom;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.http.source.HttpSource;
import dev.penstock.http.source.HttpSourceBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Builds the sources: one for each HTTP host and port, shared by its flows, one for each queue, and one for each UDP
 * flow. Opens nothing.
 */
final class SourceSetup {
    private final GatewayConfig config;
    private final StartGate startGate;
    private final IdempotencyStores stores;
    private final Brokers brokers;

    private SourceSetup(GatewayConfig config, StartGate startGate, IdempotencyStores stores, Brokers brokers) {
        this.config = config;
        this.startGate = startGate;
        this.stores = stores;
        this.brokers = brokers;
    }

    /** Attaches the flows of a gateway to their sources, in order. */
    static List<GatewayFlow> attach(
            GatewayConfig config,
            List<BuiltFlow> flows,
            StartGate startGate,
            IdempotencyStores stores,
            Brokers brokers) {
        return new SourceSetup(config, startGate, stores, brokers).attach(flows);
    }

    private List<GatewayFlow> attach(List<BuiltFlow> flows) {
        Map<String, List<BuiltFlow>> byAddress = new LinkedHashMap<>();
        for (BuiltFlow flow : flows) {
            if (flow.config().from() instanceof HttpFrom from) {
                byAddress
                        .computeIfAbsent(address(flow.config().name(), from), address -> new ArrayList<>())
                        .add(flow);
            }
        }
        Map<String, HttpSource> sources = new LinkedHashMap<>();
        byAddress.forEach((address, sharing) -> sources.put(address, source(sharing)));
        return flows.stream()
                .map(flow -> new GatewayFlow(flow, source(flow, sources), StatusSetup.of(flow.config(), config)))
                .toList();
    }

    private Source source(BuiltFlow flow, Map<String, HttpSource> sources) {
        return switch (flow.config().from()) {
            case HttpFrom from ->
                Objects.requireNonNull(sources.get(address(flow.config().name(), from)));
            case JmsFrom from ->
                QueueSourceSetup.source(
                        flow,
                        from,
                        startGate,
                        brokers.of(from.queue()),
                        StatusSetup.store(flow.config(), config, stores),
                        config.state().value());
            case UdpFrom from -> DatagramSourceSetup.source(flow, from, startGate);
        };
    }

    /** Each flow with port 0 gets a free port of its own. */
    private static String address(String flow, HttpFrom from) {
        String host = from.host().value().equals("localhost")
                ? "127.0.0.1"
                : from.host().value();
        int port = from.port().value();
        return port == 0 ? "any for " + flow : host + " " + port;
    }

    private HttpSource source(List<BuiltFlow> sharing) {
        HttpFrom first = sharing.getFirst().config().overHttp();
        HttpSourceBuilder source = HttpSource.on(first.port().value());
        for (BuiltFlow flow : sharing.reversed()) {
            HttpFrom from = flow.config().overHttp();
            FlowSetup.given(from.host(), source::host);
            FlowSetup.given(from.headerTime(), source::headerTime);
            FlowSetup.given(from.bodyTime(), source::bodyTime);
        }
        for (BuiltFlow flow : sharing) {
            HttpFrom from = flow.config().overHttp();
            source.route(
                    from.path().value(),
                    flow.config().name(),
                    startGate.before(flow.service()),
                    Math.toIntExact(from.maxBody().value()));
        }
        statusPage(sharing, source);
        return source.build();
    }

    /** Adds the status page for the flows of this port that answer 202 before processing. */
    private void statusPage(List<BuiltFlow> sharing, HttpSourceBuilder source) {
        List<FlowConfig> withStatus = sharing.stream()
                .map(BuiltFlow::config)
                .filter(FlowConfig::hasStatusPage)
                .toList();
        List<StatusStore> statuses = withStatus.stream()
                .map(flow -> StatusSetup.store(flow, config, stores))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (!statuses.isEmpty()) {
            source.route(
                    FlowConfig.STATUS_PATH,
                    withStatus.getFirst().name(),
                    startGate.before(new StatusPage(statuses)),
                    0);
        }
    }
}
