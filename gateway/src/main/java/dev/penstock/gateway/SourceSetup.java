package dev.penstock.gateway;

import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.HttpFrom;
import dev.penstock.http.HttpSource;
import dev.penstock.http.HttpSourceBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds one source for each host and port, shared by the flows that name it. Opens nothing. */
final class SourceSetup {
    private SourceSetup() {}

    /** The flows of a gateway with the source that each hangs on, in their order. */
    static List<GatewayFlow> attach(List<BuiltFlow> flows, Doorway doorway) {
        Map<String, List<BuiltFlow>> byAddress = new LinkedHashMap<>();
        for (BuiltFlow flow : flows) {
            byAddress
                    .computeIfAbsent(address(flow.config()), address -> new ArrayList<>())
                    .add(flow);
        }
        Map<String, HttpSource> sources = new LinkedHashMap<>();
        byAddress.forEach((address, sharing) -> sources.put(address, source(sharing, doorway)));
        List<GatewayFlow> attached = new ArrayList<>();
        for (BuiltFlow flow : flows) {
            HttpSource source = sources.get(address(flow.config()));
            if (source != null) {
                attached.add(new GatewayFlow(flow, source));
            }
        }
        return List.copyOf(attached);
    }

    /** Port 0 asks for a free port of its own. */
    private static String address(FlowConfig config) {
        HttpFrom from = config.from();
        String host = from.host().value().equals("localhost")
                ? "127.0.0.1"
                : from.host().value();
        int port = from.port().value();
        return port == 0 ? "any for " + config.name() : host + " " + port;
    }

    private static HttpSource source(List<BuiltFlow> sharing, Doorway doorway) {
        HttpFrom first = sharing.getFirst().config().from();
        HttpSourceBuilder source = HttpSource.on(first.port().value());
        for (BuiltFlow flow : sharing.reversed()) {
            HttpFrom from = flow.config().from();
            FlowSetup.given(from.host(), source::host);
            FlowSetup.given(from.headerTime(), source::headerTime);
            FlowSetup.given(from.bodyTime(), source::bodyTime);
        }
        for (BuiltFlow flow : sharing) {
            HttpFrom from = flow.config().from();
            source.route(
                    from.path().value(),
                    flow.config().name(),
                    doorway.before(flow.service()),
                    Math.toIntExact(from.maxBody().value()));
        }
        return source.build();
    }
}
