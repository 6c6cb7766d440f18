package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.fleet.FleetShare;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.observe.TransactionLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a gateway with their sources and targets, built by their transports and not started.
 *
 * @param flows in file order
 * @param binders of the transports in use; closed last
 * @param limits shared by several flows, or with other gateways
 */
record BoundFlows(List<GatewayFlow> flows, List<Binder> binders, SharedLimits limits) {
    /**
     * Builds all flows.
     *
     * @param completion completes the stages of each flow
     * @param records the records of their transactions; null for none
     * @throws IOException what the flows of a transport share cannot start; nothing stays open
     */
    static BoundFlows of(
            TransportContext context,
            Transports transports,
            BiConsumer<FlowConfig, FlowBuilder<Object>> completion,
            @Nullable TransactionLog records)
            throws IOException {
        Map<Transport, Binder> binders = new LinkedHashMap<>();
        List<TargetBinding> targets = new ArrayList<>();
        SharedLimits limits = new SharedLimits(context.config().flows(), context);
        try {
            for (FlowConfig flow : context.config().flows()) {
                bind(transports.ofSource(flow.from().kind()), context, binders);
                bind(transports.ofTarget(flow.to().kind()), context, binders);
            }
            for (FlowConfig flow : context.config().flows()) {
                FlowBuilder<Object> stages = FlowSetup.stages(flow).state(context.learned());
                limits.apply(flow, stages);
                completion.accept(flow, stages);
                Transport transport = transports.ofTarget(flow.to().kind());
                TargetBinding target =
                        Objects.requireNonNull(binders.get(transport)).target(flow, stages);
                targets.add(target);
                context.bound().put(flow.name(), target);
            }
            Map<String, SourceBinding> sources = sources(targets, binders, transports);
            List<GatewayFlow> flows = targets.stream()
                    .map(flow -> new GatewayFlow(
                            flow,
                            Objects.requireNonNull(sources.get(flow.config().name())),
                            context.bound(),
                            StatusSetup.of(flow.config(), context.config()),
                            records))
                    .toList();
            return new BoundFlows(flows, List.copyOf(binders.values()), limits);
        } catch (IOException | RuntimeException failed) {
            targets.forEach(TargetBinding::close);
            limits.close();
            binders.values().forEach(Binder::close);
            throw failed;
        }
    }

    private static void bind(Transport transport, TransportContext context, Map<Transport, Binder> binders)
            throws IOException {
        if (!binders.containsKey(transport)) {
            binders.put(transport, transport.bind(context));
        }
    }

    /** The source of each flow, by name. Each transport builds all of its own at once. */
    private static Map<String, SourceBinding> sources(
            List<TargetBinding> flows, Map<Transport, Binder> binders, Transports transports) {
        Map<String, SourceBinding> sources = new HashMap<>();
        binders.forEach((transport, binder) -> {
            List<TargetBinding> own = flows.stream()
                    .filter(flow ->
                            transports.ofSource(flow.config().from().kind()).equals(transport))
                    .toList();
            List<SourceBinding> bound = own.isEmpty() ? List.of() : binder.sources(own);
            for (int i = 0; i < own.size(); i++) {
                sources.put(own.get(i).config().name(), bound.get(i));
            }
        });
        return sources;
    }

    /** The sources; several flows may share one. */
    List<Source> sources() {
        return flows.stream().map(flow -> flow.source().source()).distinct().toList();
    }

    /** The certificates of sources; several flows may share them. */
    Stream<TlsMaterial> tls() {
        return flows.stream()
                .map(flow -> flow.source().tls())
                .filter(Objects::nonNull)
                .distinct();
    }

    /** The flows that no other flow calls. */
    List<GatewayFlow> outermost() {
        return flows.stream()
                .filter(flow -> flows.stream()
                        .noneMatch(
                                other -> flow.name().equals(other.config().to().flow())))
                .toList();
    }

    /** The flows, each before the flow that it calls. */
    List<GatewayFlow> callersFirst() {
        List<GatewayFlow> ordered = new ArrayList<>(flows);
        ordered.sort(Comparator.comparingInt((GatewayFlow flow) -> flow.called().size())
                .reversed());
        return ordered;
    }

    /** Why what flows share does not work, a line each. */
    Stream<String> outages() {
        return Stream.concat(
                binders.stream().map(Binder::outage).filter(Objects::nonNull),
                limits.fleets().stream().map(FleetShare::outage).filter(Objects::nonNull));
    }

    void closeTargets() {
        flows.forEach(flow -> flow.target().close());
    }

    /** Closes what flows share. To be called last. */
    void closeBinders() {
        limits.close();
        binders.forEach(Binder::close);
    }
}
