package dev.penstock.gateway;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.status.StatusSetup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that a flow is built from. A flow whose facts are equal in two files runs on unchanged.
 *
 * @param own its keys
 * @param others what it depends on in other flows
 */
record FlowFacts(Map<String, String> own, List<Object> others) {
    /** The facts of a flow of a file. */
    static FlowFacts of(FlowConfig flow, FlowFile file) {
        GatewayConfig config = file.config();
        FlowConfig last = config.last(flow);
        List<FlowConfig> callers = config.flows().stream()
                .filter(other -> config.last(other).equals(flow))
                .toList();
        return new FlowFacts(
                file.keys().ofFlow(flow.name()),
                List.of(
                        SharedLimits.of(flow, config.flows()),
                        config.callerHeaders(),
                        config.callerHeaders(flow),
                        config.hasStatusPage(flow),
                        status(flow, config),
                        last.to().hasIds(),
                        last.to().isQueue(),
                        last.to().storesStatus() || last.status() != null,
                        config.flows().stream().anyMatch(next -> next.from().consumes(last.to())),
                        callers.stream().anyMatch(config::hasStatusPage),
                        callers.stream().anyMatch(caller -> caller.from().isQueue())));
    }

    private static String status(FlowConfig flow, GatewayConfig config) {
        Configured<Duration> kept = StatusSetup.of(flow, config);
        return kept == null ? "" : kept.value().toString();
    }

    /** The names of the flows that are in both files and are built from the same. */
    static Set<String> unchanged(FlowFile before, FlowFile now) {
        Map<String, FlowFacts> old =
                before.config().flows().stream().collect(Collectors.toMap(FlowConfig::name, flow -> of(flow, before)));
        return now.config().flows().stream()
                .filter(flow -> of(flow, now).equals(old.get(flow.name())))
                .map(FlowConfig::name)
                .collect(Collectors.toSet());
    }
}
