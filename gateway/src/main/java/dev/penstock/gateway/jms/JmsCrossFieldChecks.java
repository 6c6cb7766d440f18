package dev.penstock.gateway.jms;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.text.Durations;
import java.time.Duration;

/** Checks settings that do not fit a queue or the embedded broker. */
final class JmsCrossFieldChecks {
    private final ConfigProblems problems;

    JmsCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void target(FlowConfig flow) {
        SettleConfig settle = flow.settle();
        if (settle != null) {
            problems.add(
                    settle.location(),
                    "'settle' queries over HTTP, but flow '" + flow.name()
                            + "' has a queue target; remove it: the broker drops a message that is sent twice with one id");
        }
    }

    void source(JmsFrom from) {
        subscription(from);
        Configured<String> deadLetter = from.deadLetter();
        if (deadLetter != null
                && !from.endpoint().isTopic()
                && deadLetter.value().equals(from.endpoint().name().value())) {
            problems.add(
                    deadLetter.location(), "'from.jms.dead_letter' is the source queue itself; give another queue");
        }
        Configured<Duration> first = from.redeliver().backoff();
        Configured<Duration> max = from.redeliver().max();
        if (first != null && max != null && first.value().compareTo(max.value()) > 0) {
            problems.add(
                    max.location(),
                    "'redeliver.backoff' is " + Durations.format(first.value())
                            + ", longer than 'redeliver.backoff_max' (" + Durations.format(max.value())
                            + "); raise backoff_max or lower backoff");
        }
    }

    private void subscription(JmsFrom from) {
        boolean shared = from.shared().value();
        Configured<String> subscription = from.subscription();
        if (subscription != null) {
            requireTopic(from, "subscription", subscription);
        }
        if (shared) {
            requireTopic(from, "shared", from.shared());
        }
        Configured<JmsFrom.By> by = from.by();
        if (by != null && by.value() == JmsFrom.By.SESSIONS && from.endpoint().isTopic() && !shared) {
            problems.add(
                    by.location(),
                    "'from.jms.by' is sessions, which needs several consumers, but a subscription that is not shared has one; add shared: true, or remove by");
        }
    }

    private void requireTopic(JmsFrom from, String key, Configured<?> value) {
        if (!from.endpoint().isTopic()) {
            problems.add(
                    value.location(),
                    "'from.jms." + key + "' is for a topic, but the source is a queue; write topic: "
                            + from.endpoint().name().value() + " instead of queue, or remove it");
        }
    }

    void between(GatewayConfig config) {
        BrokerConfig broker = config.broker();
        if (broker == null) {
            return;
        }
        if (!JmsEndpoint.anyEmbedded(config)) {
            problems.add(
                    broker.location(),
                    "'broker' opens the embedded broker to other processes, but no flow uses it; add a flow with url: embedded, or remove 'broker'");
        }
        if (broker.login() == null && !Addresses.isLoopback(broker.host().value())) {
            problems.add(
                    broker.host().location(),
                    "'broker' listens on " + broker.host().value()
                            + ", which other machines can reach, without authentication; add user: penstock, "
                            + BrokerConfig.PASSWORD_EXAMPLE + ", or use host 127.0.0.1");
        }
        AdminConfig admin = config.admin();
        if (admin != null && broker.listener().clashes(admin.listener())) {
            portInUse(broker, "where the admin server listens");
        }
        config.flows().stream()
                .filter(flow -> broker.listener().clashes(flow.from().listener()))
                .findFirst()
                .ifPresent(flow -> portInUse(broker, "where flow '" + flow.name() + "' listens"));
    }

    private void portInUse(BrokerConfig broker, String where) {
        problems.add(
                broker.port().location(),
                "'broker.port' is " + broker.port().value() + ", " + where + "; give the broker another port");
    }
}
