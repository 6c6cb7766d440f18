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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a gateway with their sources and targets, built by their transports and not started.
 *
 * @param flows in file order
 * @param binders of the transports, also of those no longer in use; closed last
 * @param limits shared by several flows, or with other gateways
 */
record BoundFlows(List<GatewayFlow> flows, Map<Transport, Binder> binders, SharedLimits limits) {
    /** The flows of a file, for requests that name them. */
    static BoundFlows of(
            TransportContext context,
            Transports transports,
            BiConsumer<FlowConfig, FlowBuilder<Object>> completion,
            @Nullable TransactionLog records)
            throws IOException {
        SharedLimits limits = SharedLimits.first(context);
        BoundFlows none = new BoundFlows(List.of(), Map.of(), limits);
        try {
            BoundFlows bound = new Building(context, transports, completion, records, none, Set.of()).flows(limits);
            bound.publish(context.bound());
            return bound;
        } catch (IOException | RuntimeException failed) {
            limits.close();
            throw failed;
        }
    }

    /**
     * The flows of a file that was read again. Requests do not find them before {@link #publish}.
     *
     * @param unchanged the names of those that stay as they are
     * @throws IOException as {@link #of}, or a change needs a restart; nothing stays open
     */
    BoundFlows next(
            TransportContext context,
            Transports transports,
            BiConsumer<FlowConfig, FlowBuilder<Object>> completion,
            @Nullable TransactionLog records,
            Set<String> unchanged)
            throws IOException {
        return new Building(context, transports, completion, records, this, unchanged).flows(limits.next(context));
    }

    /**
     * Builds flows.
     *
     * @param completion completes the stages of each flow
     * @param records the records of their transactions; null for none
     * @param before the flows until now
     * @param unchanged the names of those that stay
     */
    private record Building(
            TransportContext context,
            Transports transports,
            BiConsumer<FlowConfig, FlowBuilder<Object>> completion,
            @Nullable TransactionLog records,
            BoundFlows before,
            Set<String> unchanged) {
        /** @throws IOException what the flows of a transport share cannot start; nothing stays open */
        BoundFlows flows(SharedLimits limits) throws IOException {
            Map<Transport, Binder> binders = new LinkedHashMap<>(before.binders);
            List<TargetBinding> built = new ArrayList<>();
            try {
                for (Transport used : used()) {
                    Binder running = before.binders.get(used);
                    binders.put(used, running == null ? used.bind(context) : used.rebind(context, running));
                }
                List<TargetBinding> targets = new ArrayList<>();
                for (FlowConfig flow : context.config().flows()) {
                    targets.add(kept(flow.name())
                            .map(GatewayFlow::target)
                            .orElseGet(() -> target(flow, limits, binders, built)));
                }
                Map<String, SourceBinding> sources = sources(targets, binders);
                List<GatewayFlow> flows = targets.stream()
                        .map(target -> kept(target.config().name()).orElseGet(() -> flow(target, sources)))
                        .toList();
                return new BoundFlows(flows, binders, limits);
            } catch (IOException | RuntimeException failed) {
                built.forEach(TargetBinding::close);
                binders.entrySet().stream()
                        .filter(binder -> !before.binders.containsKey(binder.getKey()))
                        .forEach(binder -> binder.getValue().close());
                throw failed;
            }
        }

        private Optional<GatewayFlow> kept(String name) {
            return unchanged.contains(name) ? before.named(name) : Optional.empty();
        }

        private Set<Transport> used() {
            Set<Transport> used = new LinkedHashSet<>();
            for (FlowConfig flow : context.config().flows()) {
                used.add(transports.ofSource(flow.from().kind()));
                used.add(transports.ofTarget(flow.to().kind()));
            }
            return used;
        }

        private TargetBinding target(
                FlowConfig flow, SharedLimits limits, Map<Transport, Binder> binders, List<TargetBinding> built) {
            FlowBuilder<Object> stages = FlowSetup.stages(flow).state(context.learned());
            limits.apply(flow, stages);
            completion.accept(flow, stages);
            Transport transport = transports.ofTarget(flow.to().kind());
            TargetBinding target =
                    Objects.requireNonNull(binders.get(transport)).target(flow, stages);
            built.add(target);
            return target;
        }

        /** The source of each flow, by name. Each transport builds all of its own at once. */
        private Map<String, SourceBinding> sources(List<TargetBinding> flows, Map<Transport, Binder> binders)
                throws IOException {
            Map<String, SourceBinding> kept = new HashMap<>();
            unchanged.forEach(name -> kept(name).ifPresent(flow -> kept.put(name, flow.source())));
            Map<String, SourceBinding> sources = new HashMap<>();
            for (Map.Entry<Transport, Binder> binder : binders.entrySet()) {
                List<TargetBinding> own = flows.stream()
                        .filter(flow ->
                                transports.ofSource(flow.config().from().kind()).equals(binder.getKey()))
                        .toList();
                List<SourceBinding> bound =
                        own.isEmpty() ? List.of() : binder.getValue().sources(own, kept);
                for (int i = 0; i < own.size(); i++) {
                    sources.put(own.get(i).config().name(), bound.get(i));
                }
            }
            return sources;
        }

        private GatewayFlow flow(TargetBinding target, Map<String, SourceBinding> sources) {
            return new GatewayFlow(
                    target,
                    Objects.requireNonNull(sources.get(target.config().name())),
                    context.bound(),
                    StatusSetup.of(target.config(), context.config()),
                    records);
        }
    }

    /** A flow by its name. */
    Optional<GatewayFlow> named(String name) {
        return flows.stream().filter(flow -> flow.name().equals(name)).findFirst();
    }

    /** Some of these flows. They share no binder. */
    BoundFlows only(Predicate<GatewayFlow> wanted) {
        return new BoundFlows(flows.stream().filter(wanted).toList(), Map.of(), limits);
    }

    /** Those of these flows that another generation does not have as they are here. */
    BoundFlows without(BoundFlows other) {
        return only(flow -> !other.flows.contains(flow));
    }

    /** Closes what this generation has built, and another does not use. */
    void discard(BoundFlows other) {
        without(other).closeTargets();
        binders.forEach((transport, binder) -> {
            if (!other.binders.containsKey(transport)) {
                binder.close();
            }
        });
    }

    /** Lets requests find these flows by name. */
    void publish(Map<String, TargetBinding> bound) {
        flows.forEach(flow -> bound.put(flow.name(), flow.target()));
    }

    /** Lets requests no longer find these flows. */
    void withdraw(Map<String, TargetBinding> bound) {
        flows.forEach(flow -> bound.remove(flow.name(), flow.target()));
    }

    /** Starts a source; the message of a failure names its flow. */
    void start(Source source) throws IOException {
        try {
            source.start();
        } catch (IOException failed) {
            throw new IOException("flow " + nameOf(source) + ": " + failed.getMessage(), failed);
        }
    }

    /** The flow of a source. */
    String nameOf(Source source) {
        return flows.stream()
                .filter(flow -> flow.source().source().equals(source))
                .findFirst()
                .map(GatewayFlow::name)
                .orElse("");
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
                binders.values().stream().map(Binder::outage).filter(Objects::nonNull),
                limits.fleets().stream().map(FleetShare::outage).filter(Objects::nonNull));
    }

    void closeTargets() {
        flows.forEach(flow -> flow.target().close());
    }

    /** Closes what flows share. To be called last. */
    void closeBinders() {
        limits.close();
        binders.values().forEach(Binder::close);
    }
}
