package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.http.tls.ServerTls;
import dev.penstock.text.Durations;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compares flows on one port. Each is reported once, with the first flow that it does not fit. */
record SharedPorts(ConfigProblems problems) {
    static void check(GatewayConfig config, ConfigProblems problems) {
        SharedPorts ports = new SharedPorts(problems);
        List<FlowConfig> flows = config.flows().stream()
                .filter(flow -> flow.from() instanceof HttpFrom)
                .toList();
        for (FlowConfig flow : flows) {
            HttpFrom from = (HttpFrom) flow.from();
            for (FlowConfig earlier : flows.subList(0, flows.indexOf(flow))) {
                HttpFrom before = (HttpFrom) earlier.from();
                if (ports.clash(earlier, before, flow, from) || ports.differ(earlier, before, from)) {
                    break;
                }
            }
        }
    }

    /** Whether two flows use the same address or route; reports it. */
    private boolean clash(FlowConfig first, HttpFrom one, FlowConfig second, HttpFrom two) {
        String port = "port " + two.port().value();
        if (!one.listener().clashes(two.listener())) {
            return false;
        }
        if (!Addresses.same(one.host().value(), two.host().value())) {
            problems.add(
                    two.host().inFile() ? two.host().location() : two.port().location(),
                    "flow '" + second.name() + "' listens on " + port + " of "
                            + two.host().value() + ", and flow '" + first.name() + "' on the same port of "
                            + one.host().value() + "; use the same host for both, or different ports");
            return true;
        }
        if (one.withSlash().equals(two.withSlash())) {
            problems.add(
                    two.path().location(),
                    "flow '" + second.name() + "' uses the same " + port + " and path as flow '" + first.name()
                            + "'; give it another path or port");
            return true;
        }
        return false;
    }

    /** Whether two flows on one HTTP source give different limits of its connections; reports it. */
    private boolean differ(FlowConfig first, HttpFrom one, HttpFrom two) {
        return Addresses.samePort(one.port(), two.port())
                && Addresses.same(one.host().value(), two.host().value())
                && (differ("idle_time", one.idleTime(), two.idleTime(), first, Durations::format)
                        || differ("max_connections", one.maxConnections(), two.maxConnections(), first, String::valueOf)
                        || differ("trusted_proxies", one.trustedProxies(), two.trustedProxies(), first, String::valueOf)
                        || differ("proxy_protocol", one.proxyProtocol(), two.proxyProtocol(), first, String::valueOf)
                        || differInTls(first, one, two));
    }

    private boolean differInTls(FlowConfig first, HttpFrom one, HttpFrom two) {
        ServerTls before = one.tls() == null ? null : one.tls().value().tls();
        ServerTls now = two.tls() == null ? null : two.tls().value().tls();
        if (Objects.equals(before, now)) {
            return false;
        }
        problems.add(
                two.tls() == null ? two.port().location() : two.tls().location(),
                "'from.http.tls' is " + (now == null ? "missing" : "given") + ", and flow '" + first.name()
                        + "' on the same port has " + (before == null ? "none" : now == null ? "it" : "another")
                        + "; use the same value for both");
        return true;
    }

    private <T> boolean differ(
            String key,
            @Nullable Configured<T> one,
            @Nullable Configured<T> two,
            FlowConfig first,
            Function<T, String> format) {
        if (one == null
                || two == null
                || !one.inFile()
                || !two.inFile()
                || one.value().equals(two.value())) {
            return false;
        }
        problems.add(
                two.location(),
                "'from.http." + key + "' is " + format.apply(two.value()) + ", and flow '" + first.name()
                        + "' on the same port has " + format.apply(one.value()) + "; use the same value for both");
        return true;
    }
}
