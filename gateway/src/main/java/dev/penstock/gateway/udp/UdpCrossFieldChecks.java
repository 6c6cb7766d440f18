package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.Listener;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.SettleConfig;
import java.util.ArrayList;
import java.util.List;

/** Checks settings that do not fit datagrams or find and replace. */
final class UdpCrossFieldChecks {
    /** Bytes of the id that is prepended to each request. */
    private static final int HEADER = 8;

    private final ConfigProblems problems;

    UdpCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    /** Datagrams cannot ask for a status over HTTP, and neither can find and replace. */
    void settle(FlowConfig flow) {
        SettleConfig settle = flow.settle();
        if (settle != null) {
            problems.add(
                    settle.location(),
                    "'settle' queries over HTTP, but the target of flow '" + flow.name() + "' is "
                            + flow.to().kind() + "; remove it");
        }
    }

    void source(UdpFrom from) {
        UdpFrom.IdPlace id = from.id();
        if (id != null && (long) id.at() + id.length() > from.maxSize().value()) {
            problems.add(
                    from.port().location(),
                    "'from.udp.id' is " + id + ", but a datagram has at most "
                            + from.maxSize().value() + " bytes; move it, or raise max_size");
        }
    }

    void target(FlowConfig flow, UdpTo to) {
        settle(flow);
        UdpFrom.IdPlace id = to.id();
        long head = id == null ? HEADER : (long) id.at() + id.length();
        if (head > to.maxSize().value()) {
            problems.add(
                    to.at().location(),
                    "'to.udp.id' ends at byte " + head + ", but a datagram has at most "
                            + to.maxSize().value() + " bytes; move it, or raise max_size");
        }
        Configured<Integer> attempts = to.attempts();
        boolean once = to.once().value() || flow.idempotent().value();
        if (attempts != null && attempts.value() > 1 && !once) {
            problems.add(
                    attempts.location(),
                    "'to.udp.attempts' is " + attempts.value()
                            + ", but the peer is not declared to deduplicate requests; add once: true if it does, or remove attempts");
        }
        RetryConfig retry = flow.retry();
        Configured<String> key = retry == null ? null : retry.key();
        if (key != null && to.id() == null) {
            problems.add(
                    key.location(),
                    "'retry.key' retries requests that may have been processed, but 'to.udp.id: header' gives each retry another id; remove retry, and write once: true if the peer deduplicates by id");
        }
    }

    /** Checks that flows do not share a UDP port: each has its own sockets. */
    void between(GatewayConfig config) {
        List<FlowConfig> earlier = new ArrayList<>();
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof UdpFrom two) {
                for (FlowConfig other : earlier) {
                    if (other.from() instanceof UdpFrom one && clash(one, two)) {
                        problems.add(
                                two.port().location(),
                                "flow '" + flow.name() + "' listens on udp port "
                                        + two.port().value() + ", where flow '" + other.name()
                                        + "' does; give it another port");
                        break;
                    }
                }
                earlier.add(flow);
            }
        }
    }

    private static boolean clash(UdpFrom one, UdpFrom two) {
        return new Listener(one.host(), one.port()).clashes(new Listener(two.host(), two.port()));
    }
}
