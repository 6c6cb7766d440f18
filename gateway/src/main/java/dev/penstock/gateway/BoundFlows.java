package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.gateway.transport.Transports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The flows of a gateway with their sources and targets, built by their transports and not started.
 *
 * @param flows in file order
 * @param binders of the transports in use; closed last
 */
record BoundFlows(List<GatewayFlow> flows, List<Binder> binders) {
    /**
     * Builds all flows.
     *
     * @throws IOException what the flows of a transport share cannot start; nothing stays open
     */
    static BoundFlows of(TransportContext context, Transports transports) throws IOException {
        Map<Transport, Binder> binders = new LinkedHashMap<>();
        List<TargetBinding> targets = new ArrayList<>();
        try {
            for (Transport transport : transports.all()) {
                if (isUsed(transport, context.config(), transports)) {
                    binders.put(transport, transport.bind(context));
                }
            }
            SharedLimits limits = new SharedLimits(context.config().flows(), context.learned());
            for (FlowConfig flow : context.config().flows()) {
                FlowBuilder<Object> stages = FlowSetup.stages(flow).state(context.learned());
                limits.apply(flow, stages);
                targets.add(
                        binder(binders, transports.ofTarget(flow.to().kind())).target(flow, stages));
            }
            Map<String, SourceBinding> sources = new LinkedHashMap<>();
            binders.forEach((transport, binder) -> {
                List<TargetBinding> own = targets.stream()
                        .filter(flow -> isOf(transport, flow.config(), transports))
                        .toList();
                List<SourceBinding> bound = own.isEmpty() ? List.of() : binder.sources(own);
                for (int i = 0; i < own.size(); i++) {
                    sources.put(own.get(i).config().name(), bound.get(i));
                }
            });
            List<GatewayFlow> flows = targets.stream()
                    .map(flow -> new GatewayFlow(
                            flow,
                            Objects.requireNonNull(sources.get(flow.config().name())),
                            StatusSetup.of(flow.config(), context.config())))
                    .toList();
            return new BoundFlows(flows, List.copyOf(binders.values()));
        } catch (IOException | RuntimeException failed) {
            targets.forEach(TargetBinding::close);
            binders.values().forEach(Binder::close);
            throw failed;
        }
    }

    private static Binder binder(Map<Transport, Binder> binders, Transport transport) {
        return Objects.requireNonNull(binders.get(transport));
    }

    private static boolean isUsed(Transport transport, GatewayConfig config, Transports transports) {
        return config.flows().stream()
                .anyMatch(flow -> isOf(transport, flow, transports)
                        || transports.ofTarget(flow.to().kind()).equals(transport));
    }

    private static boolean isOf(Transport transport, FlowConfig flow, Transports transports) {
        return transports.ofSource(flow.from().kind()).equals(transport);
    }

    /** The sources; several flows may share one. */
    List<Source> sources() {
        return flows.stream().map(flow -> flow.source().source()).distinct().toList();
    }

    void closeTargets() {
        flows.forEach(flow -> flow.target().close());
    }

    /** Closes what the flows of each transport share. To be called last. */
    void closeBinders() {
        binders.forEach(Binder::close);
    }
}
