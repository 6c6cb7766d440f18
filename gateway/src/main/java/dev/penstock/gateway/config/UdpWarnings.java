package dev.penstock.gateway.config;

/** Finds what is allowed of datagrams, but rarely meant. */
final class UdpWarnings {
    private UdpWarnings() {}

    static void check(FlowConfig flow, ConfigProblems doubts) {
        if (flow.from() instanceof UdpFrom from) {
            open(flow, from, doubts);
            repeats(flow, from, doubts);
        }
        if (flow.to() instanceof UdpTo to) {
            twice(flow, to, doubts);
        }
    }

    private static void open(FlowConfig flow, UdpFrom from, ConfigProblems doubts) {
        if (!Addresses.isLoopback(from.host().value())) {
            doubts.add(
                    from.host().place(),
                    "flow '" + flow.name() + "' listens on " + from.host().value()
                            + " for datagrams, whose senders nobody can check: answers go wherever they say they are from; let only your own networks reach it, or use host 127.0.0.1");
        }
    }

    private static void repeats(FlowConfig flow, UdpFrom from, ConfigProblems doubts) {
        if (from.id() != null && flow.dedupe() == null && flow.to() instanceof ReplaceTo) {
            doubts.add(
                    from.port().place(),
                    "flow '" + flow.name()
                            + "' finds the id of each datagram and does nothing with it; add dedupe: id, or leave id out");
        }
        DedupeConfig dedupe = flow.dedupe();
        if (from.id() == null && dedupe != null) {
            doubts.add(
                    dedupe.place(),
                    "datagrams of flow '" + flow.name()
                            + "' have no id, so none is found to be a repeat; add to from.udp for instance id: { at: 0, length: 16 }");
        }
    }

    private static void twice(FlowConfig flow, UdpTo to, ConfigProblems doubts) {
        RetryConfig retry = flow.retry();
        if (retry != null && (to.once().value() || flow.idempotent().value())) {
            doubts.add(
                    retry.place(),
                    "flow '" + flow.name()
                            + "' repeats in two places, and the target knows better when an answer is overdue; leave retry out");
        }
    }
}
