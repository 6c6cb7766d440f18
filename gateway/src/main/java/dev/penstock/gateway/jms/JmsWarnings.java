package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.jms.JmsMessage;

/** Warns about queue settings that are valid but probably unintended. */
final class JmsWarnings {
    private JmsWarnings() {}

    static void source(FlowConfig flow, JmsFrom from, ConfigProblems warnings) {
        withoutKey(flow, from, warnings);
        orderWithinProcess(flow, from, warnings);
        retryAndRedeliver(flow, from, warnings);
    }

    static void target(FlowConfig flow, JmsTo to, GatewayConfig config, ConfigProblems warnings) {
        notPersistent(flow, to, warnings);
        noConsumer(to, config, warnings);
    }

    static void unencryptedBroker(Configured<String> host, ConfigProblems warnings) {
        if (!Addresses.isLoopback(host.value())) {
            warnings.add(
                    host.location(),
                    "the broker listens on " + host.value()
                            + " without TLS, so its password and the messages travel unencrypted; put a TLS proxy in front of it, or use host 127.0.0.1");
        }
    }

    private static void withoutKey(FlowConfig flow, JmsFrom from, ConfigProblems warnings) {
        if (from.key() == null && !flow.idempotent().value()) {
            warnings.add(
                    from.endpoint().name().location(),
                    "messages of flow '" + flow.name()
                            + "' have no idempotency key, so a message without an answer from the target goes to the dead-letter queue as unknown; if the target deduplicates by key, add for instance key: JMSMessageID");
        }
    }

    private static void orderWithinProcess(FlowConfig flow, JmsFrom from, ConfigProblems warnings) {
        Configured<String> order = from.order();
        if (order != null && !order.value().equals(JmsMessage.GROUP)) {
            warnings.add(
                    order.location(),
                    "flow '" + flow.name() + "' keeps the order of " + order.value()
                            + " within this process only; with several consumers, set "
                            + JmsMessage.GROUP + " in the sender and write order: " + JmsMessage.GROUP);
        }
    }

    private static void retryAndRedeliver(FlowConfig flow, JmsFrom from, ConfigProblems warnings) {
        RetryConfig retry = flow.retry();
        Configured<Integer> attempts = from.redeliver().attempts();
        if (retry != null && attempts != null && attempts.value() > 1) {
            warnings.add(
                    retry.attempts().inFile() ? retry.attempts().location() : retry.location(),
                    "a message of flow '%s' is tried up to %d x %d times, %d within the deadline of each delivery; remove retry, because redeliver already retries"
                            .formatted(
                                    flow.name(),
                                    attempts.value(),
                                    retry.attempts().value(),
                                    retry.attempts().value()));
        }
    }

    private static void notPersistent(FlowConfig flow, JmsTo to, ConfigProblems warnings) {
        if (!to.persistent().value()) {
            warnings.add(
                    to.persistent().location(),
                    "flow '" + flow.name()
                            + "' answers 202 for messages that are lost when the broker stops; remove persistent: false unless that is acceptable");
        }
    }

    private static void noConsumer(JmsTo to, GatewayConfig config, ConfigProblems warnings) {
        boolean consumed =
                config.flows().stream().anyMatch(other -> other.from().consumes(to));
        JmsEndpoint endpoint = to.endpoint();
        if (endpoint.isEmbedded() && config.broker() == null && !consumed) {
            warnings.add(
                    endpoint.name().location(),
                    (endpoint.isTopic() ? "topic " : "queue ")
                            + endpoint.name().value()
                            + " has no consumer: no flow reads it, and other processes cannot reach the embedded broker; add a flow with from: { jms: ... }, or broker: { port: 61616 }");
        }
    }
}
