package dev.penstock.gateway.config;

import dev.penstock.Durations;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks combinations of values that are valid on their own but not together. */
final class CrossFieldChecks {
    private final ConfigProblems problems;

    CrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    /** Checks the values of one flow. */
    void within(FlowConfig flow) {
        if (flow.to() instanceof JdbcTo jdbc) {
            new JdbcCrossFieldChecks(problems).within(flow, jdbc);
        }
        new JmsCrossFieldChecks(problems).within(flow);
        new UdpCrossFieldChecks(problems).within(flow);
        Configured<Duration> queue = flow.queue().time();
        Configured<Duration> deadline = flow.deadline();
        if (queue != null && queue.value().compareTo(deadline.value()) > 0) {
            problems.add(
                    queue.location(),
                    "'queue.time' is " + Durations.format(queue.value()) + ", longer than the deadline of "
                            + Durations.format(deadline.value()) + "; shorten it or raise the deadline");
        }
        SettleConfig settle = flow.settle();
        if (settle != null && settle.after().value().compareTo(deadline.value()) >= 0) {
            problems.add(
                    settle.after().inFile() ? settle.after().location() : settle.location(),
                    "'settle.after' is " + Durations.format(settle.after().value())
                            + ", not shorter than the deadline of "
                            + Durations.format(deadline.value())
                            + ", so the status is never queried; shorten it or raise the deadline");
        }
        CollapseKind collapse = flow.collapse();
        if (collapse != null
                && collapse.budget()
                        instanceof Configured<?>(CollapseKind.Budget.Time(Duration most), var origin, FileLocation at)
                && most.compareTo(deadline.value()) >= 0) {
            problems.add(
                    at,
                    "'collapse.budget' is " + Durations.format(most) + ", not shorter than the deadline of "
                            + Durations.format(deadline.value()) + "; shorten it or raise the deadline");
        }
        if (flow.limit() instanceof LimitConfig.Bounds(Configured<Integer> min, Configured<Integer> max)
                && min.value() > max.value()) {
            problems.add(
                    min.location(),
                    "'limit.min' is " + min.value() + ", greater than 'limit.max' (" + max.value() + "); swap them");
        }
        RetryConfig retry = flow.retry();
        if (retry != null
                && retry.backoff().value().compareTo(retry.backoffMax().value()) > 0) {
            Configured<Duration> given = retry.backoffMax().inFile() ? retry.backoffMax() : retry.backoff();
            problems.add(
                    given.location(),
                    "'retry.backoff' is " + Durations.format(retry.backoff().value())
                            + ", longer than 'retry.backoff_max' ("
                            + Durations.format(retry.backoffMax().value()) + "); raise backoff_max or lower backoff");
        }
    }

    /** Checks flows against each other and against the admin server. */
    void between(GatewayConfig config) {
        List<FlowConfig> earlier = new ArrayList<>();
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof HttpFrom) {
                for (FlowConfig other : earlier) {
                    if (clash(other, flow) || differ(other, flow)) {
                        break;
                    }
                }
                earlier.add(flow);
            }
        }
        new JmsCrossFieldChecks(problems).between(config);
        new UdpCrossFieldChecks(problems).between(config);
        config.flows().forEach(flow -> fitsTotal(flow, config.poolTotal()));
        AdminConfig admin = config.admin();
        if (admin != null) {
            earlier.stream()
                    .filter(flow -> samePort(flow.overHttp().port(), admin.port())
                            && Addresses.overlap(
                                    flow.overHttp().host().value(), admin.host().value()))
                    .findFirst()
                    .ifPresent(flow -> problems.add(
                            admin.port().location(),
                            "'admin.port' is " + admin.port().value() + ", where flow '" + flow.name()
                                    + "' listens; give the admin server another port"));
        }
    }

    private void fitsTotal(FlowConfig flow, @Nullable Configured<Integer> total) {
        Configured<Integer> max = flow.to().pool().max();
        // Only HTTP connections share the total.
        if (flow.to() instanceof HttpTo && max != null && total != null && max.value() > total.value()) {
            problems.add(
                    max.location(),
                    "'pool.max' of flow '" + flow.name() + "' is " + max.value() + ", more than the total of "
                            + total.value() + " for all flows; lower it, or raise the top-level pool.max");
        }
    }

    /** Whether two flows use the same address or route; reports it. */
    private boolean clash(FlowConfig first, FlowConfig second) {
        HttpFrom one = first.overHttp();
        HttpFrom two = second.overHttp();
        String port = "port " + two.port().value();
        if (!samePort(one.port(), two.port())
                || !Addresses.overlap(one.host().value(), two.host().value())) {
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
        if (withSlash(one).equals(withSlash(two))) {
            problems.add(
                    two.path().location(),
                    "flow '" + second.name() + "' uses the same " + port + " and path as flow '" + first.name()
                            + "'; give it another path or port");
            return true;
        }
        return false;
    }

    /** Whether two flows on one HTTP source give different timeouts; reports it. */
    private boolean differ(FlowConfig first, FlowConfig second) {
        HttpFrom one = first.overHttp();
        HttpFrom two = second.overHttp();
        return samePort(one.port(), two.port())
                && Addresses.same(one.host().value(), two.host().value())
                && (differ("header_time", one.headerTime(), two.headerTime(), first)
                        || differ("body_time", one.bodyTime(), two.bodyTime(), first));
    }

    private boolean differ(String key, Configured<Duration> one, Configured<Duration> two, FlowConfig first) {
        if (!one.inFile() || !two.inFile() || one.value().equals(two.value())) {
            return false;
        }
        problems.add(
                two.location(),
                "'from.http." + key + "' is " + Durations.format(two.value()) + ", and flow '" + first.name()
                        + "' on the same port has " + Durations.format(one.value()) + "; use the same value for both");
        return true;
    }

    /** A path matches the same requests with and without a trailing slash. */
    static String withSlash(HttpFrom from) {
        return from.base().endsWith("/") ? from.base() : from.base() + "/";
    }

    /** Port 0 means any free port, so two flows with port 0 do not conflict. */
    static boolean samePort(Configured<Integer> one, Configured<Integer> other) {
        return one.value() != 0 && one.value().equals(other.value());
    }
}
