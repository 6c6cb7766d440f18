package dev.penstock.gateway.jms;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.fileWarning;
import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.Rule;
import dev.penstock.jms.JmsMessage;
import java.util.List;

/** What must hold between the keys of queues and topics, or of the embedded broker, and others. */
final class JmsRules {
    static final List<Rule<?>> ALL = List.of(
            flowError(
                    "the broker supports the source",
                    "from.jms.url from.jms.key from.jms.order from.jms.selector from.jms.subscription",
                    JmsRules::unsupported),
            flowError("a dead letter leaves its queue", "from.jms.dead_letter from.jms.queue", JmsRules::deadLetter),
            fileError("a flow uses the broker", "broker from.jms.url to.jms.url", JmsRules::brokerUnused),
            fileError(
                    "a broker for other machines has a password", "broker.host broker.password", JmsRules::brokerLogin),
            flowWarning("a message has a key", "from.jms.key idempotent", JmsRules::withoutKey),
            flowWarning("the broker keeps the order", "from.jms.order", JmsRules::orderWithinProcess),
            flowWarning("one place retries", "retry from.jms.redeliver.attempts", JmsRules::retryAndRedeliver),
            fileWarning("a message has a consumer", "to.jms.queue to.jms.topic broker", JmsRules::noConsumer));

    private JmsRules() {}

    private static void unsupported(FlowConfig flow, ConfigProblems problems) {
        if (!(flow.from() instanceof JmsFrom from)) {
            return;
        }
        String why = QueueSource.unsupported(flow, from);
        if (why != null) {
            problems.add(from.endpoint().name().location(), "flow '" + flow.name() + "': " + why);
        }
    }

    private static void deadLetter(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof JmsFrom from
                && from.deadLetter() != null
                && !from.endpoint().isTopic()
                && from.deadLetter().value().equals(from.endpoint().name().value())) {
            problems.add(
                    from.deadLetter().location(),
                    "'from.jms.dead_letter' is the source queue itself; give another queue");
        }
    }

    private static void brokerUnused(GatewayConfig config, ConfigProblems problems) {
        BrokerConfig broker = config.broker();
        if (broker != null && !JmsEndpoint.anyEmbedded(config)) {
            problems.add(
                    broker.location(),
                    "'broker' opens the embedded broker to other processes, but no flow uses it; add a flow with url: embedded, or remove 'broker'");
        }
    }

    private static void brokerLogin(GatewayConfig config, ConfigProblems problems) {
        BrokerConfig broker = config.broker();
        if (broker != null
                && broker.login() == null
                && !Addresses.isLoopback(broker.host().value())) {
            problems.add(
                    broker.host().location(),
                    "'broker' listens on " + broker.host().value()
                            + ", which other machines can reach, without authentication; add user: penstock, "
                            + BrokerConfig.PASSWORD_EXAMPLE + ", or use host 127.0.0.1");
        }
    }

    private static void withoutKey(FlowConfig flow, ConfigProblems warnings) {
        if (flow.from() instanceof JmsFrom from
                && from.key() == null
                && !flow.idempotent().value()) {
            warnings.add(
                    from.endpoint().name().location(),
                    "messages of flow '" + flow.name()
                            + "' have no idempotency key, so a message without an answer from the target goes to the dead-letter queue as unknown; if the target deduplicates by key, add for instance key: JMSMessageID");
        }
    }

    private static void orderWithinProcess(FlowConfig flow, ConfigProblems warnings) {
        Configured<String> order = flow.from() instanceof JmsFrom from ? from.order() : null;
        if (order != null && !order.value().equals(JmsMessage.GROUP)) {
            warnings.add(
                    order.location(),
                    "flow '" + flow.name() + "' keeps the order of " + order.value()
                            + " within this process only; with several consumers, set "
                            + JmsMessage.GROUP + " in the sender and write order: " + JmsMessage.GROUP);
        }
    }

    private static void retryAndRedeliver(FlowConfig flow, ConfigProblems warnings) {
        RetryConfig retry = flow.retry();
        Configured<Integer> attempts =
                flow.from() instanceof JmsFrom from ? from.redeliver().attempts() : null;
        if (retry != null && attempts != null && attempts.value() > 1) {
            warnings.add(
                    retry.attempts().locationOr(retry.location()),
                    "a message of flow '%s' is tried up to %d x %d times, %d within the deadline of each delivery; remove retry, because redeliver already retries"
                            .formatted(
                                    flow.name(),
                                    attempts.value(),
                                    retry.attempts().value(),
                                    retry.attempts().value()));
        }
    }

    private static void noConsumer(GatewayConfig config, ConfigProblems warnings) {
        for (FlowConfig flow : config.flows()) {
            if (config.broker() == null
                    && flow.to() instanceof JmsTo to
                    && to.endpoint().isEmbedded()
                    && config.flows().stream().noneMatch(other -> other.from().consumes(to))) {
                warnings.add(
                        to.endpoint().name().location(),
                        (to.endpoint().isTopic() ? "topic " : "queue ")
                                + to.endpoint().name().value()
                                + " has no consumer: no flow reads it, and other processes cannot reach the embedded broker; add a flow with from: { jms: ... }, or broker: { port: 61616 }");
            }
        }
    }
}
