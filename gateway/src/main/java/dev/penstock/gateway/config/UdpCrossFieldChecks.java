package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.List;

/** Finds what does not go with datagrams, or not with find and replace. */
final class UdpCrossFieldChecks {
    /** Bytes of an id that is put before each request. */
    private static final int HEADER = 8;

    private final ConfigProblems problems;

    UdpCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void within(FlowConfig flow) {
        if (flow.to() instanceof ReplaceTo || flow.to() instanceof UdpTo) {
            SettleConfig settle = flow.settle();
            if (settle != null) {
                problems.add(
                        settle.place(),
                        "'settle' asks over HTTP, and flow '" + flow.name() + "' goes to "
                                + flow.to().kind() + "; leave it out");
            }
        }
        if (flow.from() instanceof UdpFrom from) {
            from(from);
        }
        if (flow.to() instanceof UdpTo to) {
            to(flow, to);
        }
    }

    private void from(UdpFrom from) {
        UdpFrom.IdPlace id = from.id();
        if (id != null && (long) id.at() + id.length() > from.maxSize().value()) {
            problems.add(
                    from.port().place(),
                    "'from.udp.id' is " + id + ", and a datagram has "
                            + from.maxSize().value() + " bytes at most; move it, or raise max_size");
        }
    }

    private void to(FlowConfig flow, UdpTo to) {
        UdpFrom.IdPlace id = to.id();
        long head = id == null ? HEADER : (long) id.at() + id.length();
        if (head > to.maxSize().value()) {
            problems.add(
                    to.at().place(),
                    "'to.udp.id' ends at byte " + head + ", and a datagram has "
                            + to.maxSize().value() + " bytes at most; move it, or raise max_size");
        }
        Configured<Integer> attempts = to.attempts();
        boolean once = to.once().value() || flow.idempotent().value();
        if (attempts != null && attempts.value() > 1 && !once) {
            problems.add(
                    attempts.place(),
                    "'to.udp.attempts' is " + attempts.value()
                            + ", and nothing says that the peer takes a request once that comes twice; add once: true if it does, or leave attempts out");
        }
        RetryConfig retry = flow.retry();
        Configured<String> key = retry == null ? null : retry.key();
        if (key != null && to.id() == null) {
            problems.add(
                    key.place(),
                    "'retry.key' repeats what may have been carried, and 'to.udp.id: header' gives the repeat another id; leave retry out, and write once: true if the peer takes an id once");
        }
    }

    /** Each flow has sockets of its own. */
    void between(GatewayConfig config) {
        List<FlowConfig> earlier = new ArrayList<>();
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof UdpFrom two) {
                for (FlowConfig other : earlier) {
                    if (other.from() instanceof UdpFrom one && clash(one, two)) {
                        problems.add(
                                two.port().place(),
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
        return two.port().value() != 0
                && one.port().value().equals(two.port().value())
                && Addresses.overlap(one.host().value(), two.host().value());
    }
}
