package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks flows over HTTP against each other. */
final class HttpCrossFieldChecks {
    private final ConfigProblems problems;

    HttpCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void between(GatewayConfig config) {
        List<FlowConfig> earlier = new ArrayList<>();
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof HttpFrom from) {
                for (FlowConfig other : earlier) {
                    HttpFrom before = (HttpFrom) other.from();
                    if (clash(other, before, flow, from) || differ(other, before, from)) {
                        break;
                    }
                }
                earlier.add(flow);
                if (flow.hasStatusPage()) {
                    statusPath(flow, from, config.flows());
                }
            }
            Configured<Integer> total = config.poolTotal();
            if (total != null && flow.to() instanceof HttpTo) {
                fitsTotal(flow, total);
            }
        }
    }

    private void fitsTotal(FlowConfig flow, Configured<Integer> total) {
        Configured<Integer> max = flow.to().pool().max();
        if (max != null && max.value() > total.value()) {
            problems.add(
                    max.location(),
                    "'pool.max' of flow '" + flow.name() + "' is " + max.value() + ", more than the total of "
                            + total.value() + " for all flows; lower it, or raise the top-level pool.max");
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
                && (differ("header_time", one.headerTime(), two.headerTime(), first, Durations::format)
                        || differ("body_time", one.bodyTime(), two.bodyTime(), first, Durations::format)
                        || differ("idle_time", one.idleTime(), two.idleTime(), first, Durations::format)
                        || differ("max_headers", one.maxHeaders(), two.maxHeaders(), first, Sizes::format)
                        || differ(
                                "max_connections", one.maxConnections(), two.maxConnections(), first, String::valueOf));
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

    /** The status page of a flow is on the port of its source. */
    private void statusPath(FlowConfig flow, HttpFrom at, List<FlowConfig> all) {
        all.stream()
                .map(FlowConfig::from)
                .filter(HttpFrom.class::isInstance)
                .map(HttpFrom.class::cast)
                .filter(other -> Objects.equals(other.port().value(), at.port().value())
                        && other.path().value().equals(FlowConfig.STATUS_PATH))
                .findFirst()
                .ifPresent(other -> problems.add(
                        other.path().location(),
                        "'from.http.path' is " + FlowConfig.STATUS_PATH + ", where port "
                                + at.port().value()
                                + " serves the transaction status of flow '" + flow.name()
                                + "'; give it another path or port"));
    }
}
