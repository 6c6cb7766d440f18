package dev.penstock.spring;

import dev.penstock.Retry;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.HttpTargetBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Flows that are made when the first request to a host comes: with a pool, retries by {@code Idempotency-Key}, a breaker and an
 * adaptive limit. At most {@value #MOST} are kept; then the one that was used least recently, and has nothing in flight, is
 * closed. Thread-safe.
 */
final class HostFlows {
    /** A program that sends to more hosts, such as one of webhooks, keeps what it learns of those that it uses most. */
    static final int MOST = 256;

    private static final int LONGEST_NAME = 50;

    private final Gateway gateway;
    private final List<FlowCustomizer> customizers;
    private final Predicate<String> isTaken;
    private final Map<Host, HostFlow> flows = new LinkedHashMap<>(16, 0.75f, true);
    private boolean draining;

    /** Time limits of exchanges; null for Penstock's own. */
    record Timeouts(@Nullable Duration connect, @Nullable Duration response) {
        static final Timeouts NONE = new Timeouts(null, null);
    }

    private record Host(String origin, Timeouts timeouts) {}

    private record HostFlow(Flow<HttpCall, HttpAnswer> flow, HttpTarget target) {}

    /** @param isTaken whether another flow has a name */
    HostFlows(Gateway gateway, List<FlowCustomizer> customizers, Predicate<String> isTaken) {
        this.gateway = gateway;
        this.customizers = customizers;
        this.isTaken = isTaken;
    }

    /** Scheme, host and port, in one form. */
    static String origin(URI url) {
        if (url.getScheme() == null || url.getHost() == null) {
            throw new IllegalArgumentException("a request needs a URL with a host, not " + url.getRawPath()
                    + "; set the base URL of the client, for instance https://gateway.example");
        }
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? 443 : 80;
        return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    synchronized Flow<HttpCall, HttpAnswer> flow(String origin, Timeouts timeouts) {
        Host host = new Host(origin, timeouts);
        HostFlow known = flows.get(host);
        if (known == null) {
            makeRoom();
            known = gateway.whileCurrent(() -> build(host));
            flows.put(host, known);
        }
        return known.flow;
    }

    private HostFlow build(Host host) {
        HttpTargetBuilder target = HttpTarget.at(host.origin);
        if (host.timeouts.connect != null) {
            target.connectTimeout(host.timeouts.connect);
        }
        if (host.timeouts.response != null) {
            target.responseTimeout(host.timeouts.response);
        }
        String name = name(host.origin.substring(host.origin.indexOf("//") + 2), this::isUsed);
        FlowBuilder<Object> stages = stages(name, gateway);
        FlowBuilder<HttpCall> repeating = stages.retry(Retry.byKey("Idempotency-Key"));
        customizers.forEach(one -> one.customize(name, stages));
        HttpTarget built = target.build();
        Flow<HttpCall, HttpAnswer> flow = repeating.to(built);
        if (draining) {
            flow.drain(Duration.ZERO);
        }
        return new HostFlow(flow, built);
    }

    /** The stages of flows that are not in the properties. */
    static FlowBuilder<Object> stages(String name, Gateway gateway) {
        return Flow.named(name)
                .defaultDeadline(FlowConfig.DEFAULT_DEADLINE, "most callers have given up by then")
                .breaker()
                .adaptiveConcurrency()
                .state(gateway.learned());
    }

    /** A name of such a flow, for instance {@code gateway-example-443}. */
    static String name(String of, Predicate<String> isUsed) {
        String plain = of.replaceAll("[^A-Za-z0-9_]+", "-");
        String start = (Character.isLetter(plain.charAt(0)) ? "" : "host-") + plain;
        String base = start.substring(0, Math.min(LONGEST_NAME, start.length()));
        String name = base;
        for (int other = 2; isUsed.test(name); other++) {
            name = base + "-" + other;
        }
        return name;
    }

    private boolean isUsed(String name) {
        return isTaken.test(name)
                || flows.values().stream().anyMatch(known -> known.flow.name().equals(name));
    }

    private void makeRoom() {
        Iterator<HostFlow> oldest = flows.values().iterator();
        while (flows.size() >= MOST && oldest.hasNext()) {
            HostFlow idle = oldest.next();
            if (idle.flow.accounting().inFlight() == 0) {
                oldest.remove();
                idle.target.close();
            }
        }
    }

    synchronized List<Flow<HttpCall, HttpAnswer>> flows() {
        return flows.values().stream().map(HostFlow::flow).toList();
    }

    /** Lets flows that are made from now on reject all requests, and returns the others. */
    synchronized List<Flow<HttpCall, HttpAnswer>> stopAccepting() {
        draining = true;
        return flows();
    }

    synchronized void close() {
        flows.values().forEach(known -> known.target.close());
    }
}
