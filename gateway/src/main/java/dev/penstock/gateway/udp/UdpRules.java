package dev.penstock.gateway.udp;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.Listener;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold between the keys of datagrams, or of find and replace, and others. */
final class UdpRules {
    static final List<Rule<?>> ALL = List.of(
            flowError(
                    "a datagram contains its id",
                    "from.udp.id from.udp.max_size to.udp.id to.udp.max_size",
                    UdpRules::ids),
            flowError("a retry has the id of the request", "retry.key to.udp.id", UdpRules::retryId),
            fileError("each flow has a port of its own", "from.udp.port from.udp.host", UdpRules::port),
            flowWarning("senders are local", "from.udp.host from.udp.allow", UdpRules::spoofableSenders),
            flowWarning("dedupe has an id, and an id is used", "dedupe from.udp.id to.replace", UdpRules::unusedId),
            flowWarning("one place retries", "retry to.udp.once idempotent", UdpRules::retriesTwice));

    /** Bytes of the id that is prepended to each request. */
    private static final int HEADER = 8;

    private UdpRules() {}

    private static void ids(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof UdpFrom from
                && from.id() != null
                && end(from.id().place()) > from.maxSize().value()) {
            problems.add(
                    from.port().location(),
                    "'from.udp.id' is " + from.id().place() + ", but a datagram has at most "
                            + from.maxSize().value() + " bytes; move it, or raise max_size");
        }
        if (flow.to() instanceof UdpTo to && end(to.id()) > to.maxSize().value()) {
            problems.add(
                    to.at().location(),
                    "'to.udp.id' ends at byte " + end(to.id()) + ", but a datagram has at most "
                            + to.maxSize().value() + " bytes; move it, or raise max_size");
        }
    }

    /** The first byte after an id. */
    private static long end(UdpFrom.@Nullable IdPlace id) {
        return id == null ? HEADER : (long) id.at() + id.length();
    }

    /** Whether a request that is sent twice to a UDP peer has the effect of one. */
    private static boolean isOnce(FlowConfig flow) {
        return flow.to() instanceof UdpTo to
                && (to.once().value() || flow.idempotent().value());
    }

    private static void retryId(FlowConfig flow, ConfigProblems problems) {
        Configured<String> key = flow.retry() == null ? null : flow.retry().key();
        if (key != null && flow.to() instanceof UdpTo to && to.id() == null) {
            problems.add(
                    key.location(),
                    "'retry.key' retries requests that may have been processed, but 'to.udp.id: header' gives each retry another id; remove retry, and write once: true if the peer deduplicates by id");
        }
    }

    /** Checks that flows do not share a UDP port: each has its own sockets. */
    private static void port(GatewayConfig config, ConfigProblems problems) {
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
        return Listener.open(one.host(), one.port()).clashes(Listener.open(two.host(), two.port()));
    }

    private static void spoofableSenders(FlowConfig flow, ConfigProblems warnings) {
        if (flow.from() instanceof UdpFrom from
                && !Addresses.isLoopback(from.host().value())
                && from.senders().allow() == null) {
            warnings.add(
                    from.host().location(),
                    "flow '" + flow.name() + "' listens on " + from.host().value()
                            + " for UDP, whose sender addresses can be spoofed, so answers may go to a third party; name the networks of the senders in allow, or use host 127.0.0.1");
        }
    }

    private static void unusedId(FlowConfig flow, ConfigProblems warnings) {
        if (!(flow.from() instanceof UdpFrom from)) {
            return;
        }
        DedupeConfig dedupe = flow.dedupe();
        if (from.id() != null && dedupe == null && flow.to() instanceof ReplaceTo) {
            warnings.add(
                    from.port().location(),
                    "flow '" + flow.name()
                            + "' reads the id of each datagram but does not use it; add dedupe: id, or remove id");
        } else if (from.id() == null && dedupe != null) {
            warnings.add(
                    dedupe.location(),
                    "datagrams of flow '" + flow.name()
                            + "' have no id, so dedupe cannot detect repeats; add for instance id: { at: 0, length: 16 } to from.udp");
        }
    }

    private static void retriesTwice(FlowConfig flow, ConfigProblems warnings) {
        RetryConfig retry = flow.retry();
        if (retry != null && isOnce(flow)) {
            warnings.add(
                    retry.location(),
                    "flow '" + flow.name()
                            + "' retries in two places, and the UDP target knows better when an answer is overdue; remove retry");
        }
    }
}
