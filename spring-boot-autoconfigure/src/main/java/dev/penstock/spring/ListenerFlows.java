package dev.penstock.spring;

import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.FlowConfig;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Flows of listeners for messages: those of {@code penstock.flows} that have their names and no target, otherwise with Penstock's
 * defaults. Thread-safe.
 */
final class ListenerFlows {
    private final Gateway gateway;
    private final List<FlowConfig> configured;
    private final List<FlowCustomizer> customizers;
    private final Predicate<String> isTaken;
    private final List<ListenerFlow> all = new CopyOnWriteArrayList<>();
    private final List<Flow<?, ?>> made = new CopyOnWriteArrayList<>();

    /** @param isTaken whether another flow has a name */
    ListenerFlows(
            Gateway gateway, List<FlowConfig> configured, List<FlowCustomizer> customizers, Predicate<String> isTaken) {
        this.gateway = gateway;
        this.configured = configured;
        this.customizers = customizers;
        this.isTaken = isTaken;
    }

    /**
     * The flow of a listener.
     *
     * @param id of the listener; those that Spring generates have a #
     * @param from the queue or topic
     */
    synchronized ListenerFlow of(@Nullable String id, String from) {
        String name = id == null || id.contains("#") ? from : id;
        ListenerFlow flow = configured.stream()
                .filter(config -> config.to().kind().equals(MethodTransport.KEY)
                        && config.name().equals(name))
                .findFirst()
                .map(this::of)
                .orElseGet(() -> new ListenerFlow(make(name), null, false));
        all.add(flow);
        return flow;
    }

    @SuppressWarnings("unchecked") // flows without a target take calls of methods
    private ListenerFlow of(FlowConfig config) {
        return new ListenerFlow(
                (Flow<MethodCall, Optional<Object>>) gateway.flow(config.name()),
                config.keyName(),
                config.idempotent().value());
    }

    private Flow<MethodCall, Optional<Object>> make(String name) {
        String free = HostFlows.name(name, isTaken);
        FlowBuilder<Object> stages = HostFlows.stages(free, gateway);
        customizers.forEach(one -> one.customize(free, stages));
        Flow<MethodCall, Optional<Object>> flow = stages.to(new MethodTransport.MethodTarget("listener " + name));
        made.add(flow);
        return flow;
    }

    /** Those that are not in the properties. */
    List<Flow<?, ?>> made() {
        return made;
    }

    /** Those of all listeners. */
    Stream<Flow<?, ?>> used() {
        return all.stream().map(ListenerFlow::flow);
    }

    /** Why listeners receive nothing. */
    List<String> outages() {
        return all.stream().map(ListenerFlow::outage).filter(Objects::nonNull).toList();
    }
}
