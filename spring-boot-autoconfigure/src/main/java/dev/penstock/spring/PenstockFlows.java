package dev.penstock.spring;

import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.http.HttpTo;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

/**
 * All flows of an application: those of {@code penstock.flows}, those that are made for the hosts of requests, and beans of type
 * {@link Flow}. The Actuator, health and metrics show them.
 *
 * <p>When the application stops, its listeners, web server and executors stop first, and what they process ends. Then the flows
 * drain: they reject what comes, and what is in flight may end for {@code penstock.shutdown.drain}. They cannot be started again.
 * Thread-safe.
 */
public final class PenstockFlows implements WatchedProcess, SmartLifecycle, DisposableBean {
    /** Stopped after all that calls flows: listeners, the web server with its requests, and then executors with their tasks. */
    private static final int PHASE = ExecutorConfigurationSupport.DEFAULT_PHASE - 1024;

    private static final Logger LOG = LoggerFactory.getLogger(PenstockFlows.class);

    private final GatewayConfig config;
    private final Gateway gateway;
    private final HostFlows hosts;
    private final ListenerFlows listeners;
    private final List<Route> routes = new ArrayList<>();
    private final Supplier<Stream<Flow<?, ?>>> beans;
    private volatile List<Flow<?, ?>> own = List.of();
    private volatile boolean running;
    private volatile boolean draining;

    /**
     * Where requests go.
     *
     * @param flow the flow
     * @param origin the beginning of their URLs, up to the path
     * @param base the beginning of their paths, which the target of the flow adds again; empty for none
     */
    record Route(Flow<HttpCall, HttpAnswer> flow, String origin, String base) {
        private boolean leadsTo(String other, String path) {
            return origin.equals(other) && (path.equals(base) || path.startsWith(base + "/"));
        }
    }

    private PenstockFlows(
            GatewayConfig config,
            Gateway gateway,
            List<FlowCustomizer> customizers,
            Supplier<Stream<Flow<?, ?>>> beans) {
        this.config = config;
        this.gateway = gateway;
        this.beans = beans;
        for (FlowConfig flow : config.flows()) {
            for (URI url : flow.to() instanceof HttpTo to ? to.urls() : List.<URI>of()) {
                routes.add(new Route(flow(flow.name()), HostFlows.origin(url), withoutSlash(url.getRawPath())));
            }
        }
        this.hosts = new HostFlows(gateway, customizers, this::isTaken);
        this.listeners = new ListenerFlows(gateway, config.flows(), customizers, this::isTaken);
    }

    /**
     * Builds the flows of the properties.
     *
     * @param beans all beans of type {@link Flow}, once the application has started
     */
    static PenstockFlows start(
            FlowProperties properties, List<FlowCustomizer> customizers, Supplier<Stream<Flow<?, ?>>> beans) {
        FlowFile file = properties.read();
        file.warnings().forEach(LOG::warn);
        try {
            Gateway gateway = Gateway.embed(
                    file.config(),
                    FlowProperties.READER.transports(),
                    (name, stages) -> customizers.forEach(one -> one.customize(name, stages)));
            return new PenstockFlows(file.config(), gateway, customizers, beans);
        } catch (IOException cannot) {
            throw new IllegalStateException(cannot.getMessage(), cannot);
        }
    }

    private static String withoutSlash(@Nullable String path) {
        return path == null ? "" : path.replaceFirst("/$", "");
    }

    /**
     * {@return a flow of {@code penstock.flows} with a target}
     *
     * @param name its name
     * @throws IllegalArgumentException there is none
     */
    @SuppressWarnings("unchecked") // every target of properties takes HTTP calls
    public Flow<HttpCall, HttpAnswer> flow(String name) {
        Flow<?, ?> flow = gateway.flow(name);
        if (methods().anyMatch(flow::equals)) {
            throw new IllegalArgumentException(
                    "flow " + name + " has no target: methods with @Flowed are called through it");
        }
        return (Flow<HttpCall, HttpAnswer>) flow;
    }

    /** A flow of {@code penstock.flows} without a target. */
    @SuppressWarnings("unchecked")
    Flow<MethodCall, Optional<Object>> methods(String name) {
        return (Flow<MethodCall, Optional<Object>>) gateway.flow(name);
    }

    /**
     * Where requests with a URL go: to the flow of the longest URL in {@code penstock.flows} that it begins with, otherwise to a
     * flow of its host.
     *
     * @param timeouts of a host without such a flow
     */
    Route route(URI url, HostFlows.Timeouts timeouts) {
        String origin = HostFlows.origin(url);
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        Route best = null;
        for (Route route : routes) {
            if (route.leadsTo(origin, path)
                    && (best == null || route.base().length() > best.base().length())) {
                best = route;
            }
        }
        return best == null ? new Route(hosts.flow(origin, timeouts), origin, "") : best;
    }

    private boolean isTaken(String name) {
        return config.flows().stream().anyMatch(flow -> flow.name().equals(name))
                || Stream.concat(own.stream(), listeners.made().stream())
                        .anyMatch(flow -> flow.name().equals(name));
    }

    /** The flows of listeners for messages. */
    ListenerFlows listeners() {
        return listeners;
    }

    /** The gateway's learned values, for a data source. */
    Gateway gateway() {
        return gateway;
    }

    @Override
    public List<? extends WatchedFlow> flows() {
        Flow<?, ?>[] others = Stream.of(hosts.flows(), own, listeners.made())
                .flatMap(List::stream)
                .toArray(Flow<?, ?>[]::new);
        return Stream.concat(gateway.flows().stream(), WatchedProcess.of(others).flows().stream())
                .toList();
    }

    @Override
    public boolean isStarted() {
        return running;
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    @Override
    public List<String> outages() {
        return Stream.concat(gateway.outages().stream(), listeners.outages().stream())
                .toList();
    }

    @Override
    public List<String> partsDown() {
        return gateway.partsDown();
    }

    @Override
    public Map<String, Long> faults() {
        return gateway.faults();
    }

    @Override
    public Map<String, Long> memory() {
        return gateway.memory();
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Finds the beans, whose names must differ from each other and from those of the properties. */
    @Override
    public void start() {
        if (draining) {
            throw new IllegalStateException(
                    "flows that have drained cannot be started again; close this context, and create another");
        }
        Map<String, Flow<?, ?>> named = new HashMap<>();
        config.flows().forEach(flow -> named.put(flow.name(), gateway.flow(flow.name())));
        listeners.made().forEach(flow -> named.put(flow.name(), flow));
        List<Flow<?, ?>> found = new ArrayList<>();
        beans.get().forEach(flow -> {
            Flow<?, ?> other = named.putIfAbsent(flow.name(), flow);
            if (other == null) {
                found.add(flow);
            } else if (!other.equals(flow)) {
                throw new BadFlowsException("two flows have the name '" + flow.name()
                        + "': beans of type Flow, or one and penstock.flows." + flow.name() + "; rename one");
            }
        });
        own = List.copyOf(found);
        running = true;
    }

    @Override
    public void stop(Runnable done) {
        Thread.ofVirtual().name("penstock-spring-drain").start(() -> {
            try {
                stop();
            } finally {
                done.run();
            }
        });
    }

    /** Those that may call others drain first. */
    @Override
    public void stop() {
        draining = true;
        long end = Ticker.SYSTEM.nanos() + config.drain().value().toNanos();
        drain(
                Stream.of(listeners.made().stream(), own.stream(), methods())
                        .flatMap(flows -> flows)
                        .toList(),
                end);
        drain(hosts.stopAccepting(), end);
        gateway.drain();
        running = false;
    }

    private static void drain(List<? extends Flow<?, ?>> flows, long end) {
        flows.forEach(flow -> flow.drain(Duration.ZERO));
        flows.forEach(flow -> flow.drain(Duration.ofNanos(Math.max(0, end - Ticker.SYSTEM.nanos()))));
    }

    private Stream<Flow<?, ?>> methods() {
        return config.flows().stream()
                .filter(flow -> flow.to().kind().equals(MethodTransport.KEY))
                .map(flow -> gateway.flow(flow.name()));
    }

    /** False: a pause would drain the flows, which cannot be started again. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void destroy() {
        hosts.close();
        gateway.close();
    }
}
