package dev.penstock.gateway.config;

import dev.penstock.jms.JmsMessage;

/** Finds what is allowed of queues, but rarely meant. */
final class JmsWarnings {
    private JmsWarnings() {}

    static void check(FlowConfig flow, GatewayConfig config, ConfigProblems doubts) {
        if (flow.from() instanceof JmsFrom from) {
            keyless(flow, from, doubts);
            loose(flow, from, doubts);
            repeated(flow, from, doubts);
        }
        if (flow.to() instanceof JmsTo to) {
            lossy(flow, to, doubts);
            dammed(to, config, doubts);
        }
    }

    private static void keyless(FlowConfig flow, JmsFrom from, ConfigProblems doubts) {
        if (from.key() == null && !flow.idempotent().value()) {
            doubts.add(
                    from.queue().name().place(),
                    "messages of flow '" + flow.name()
                            + "' have no key, so what was sent and not answered goes to the dead-letter queue as unknown; if the target takes a key once, add for instance key: JMSMessageID");
        }
    }

    private static void loose(FlowConfig flow, JmsFrom from, ConfigProblems doubts) {
        Configured<String> order = from.order();
        if (order != null && !order.value().equals(JmsMessage.GROUP)) {
            doubts.add(
                    order.place(),
                    "flow '" + flow.name() + "' keeps the order of " + order.value()
                            + " within this process only; where several take from the queue, let who sends set "
                            + JmsMessage.GROUP + ", and write order: " + JmsMessage.GROUP);
        }
    }

    private static void repeated(FlowConfig flow, JmsFrom from, ConfigProblems doubts) {
        RetryConfig retry = flow.retry();
        Configured<Integer> attempts = from.redeliver().attempts();
        if (retry != null && attempts != null && attempts.value() > 1) {
            doubts.add(
                    retry.attempts().inFile() ? retry.attempts().place() : retry.place(),
                    "a message of flow '%s' is tried up to %d x %d times, %d within the deadline of each delivery; leave retry out, since redeliver repeats too"
                            .formatted(
                                    flow.name(),
                                    attempts.value(),
                                    retry.attempts().value(),
                                    retry.attempts().value()));
        }
    }

    private static void lossy(FlowConfig flow, JmsTo to, ConfigProblems doubts) {
        if (!to.persistent().value()) {
            doubts.add(
                    to.persistent().place(),
                    "flow '" + flow.name()
                            + "' answers 202 for messages that are lost when the broker ends; leave out persistent: false where they matter");
        }
    }

    private static void dammed(JmsTo to, GatewayConfig config, ConfigProblems doubts) {
        boolean taken = config.flows().stream()
                .anyMatch(other ->
                        other.from() instanceof JmsFrom from && from.queue().isSame(to.queue()));
        if (to.queue().isEmbedded() && config.broker() == null && !taken) {
            doubts.add(
                    to.queue().name().place(),
                    "nobody takes from queue " + to.queue().name().value()
                            + ": no flow here does, and no other process reaches the broker; add a flow from: { jms: ... }, or broker: { port: 61616 }");
        }
    }
}
