package dev.penstock.gateway.config;

import dev.penstock.Durations;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Checks settings that do not fit a queue or the embedded broker. */
final class JmsCrossFieldChecks {
    private final ConfigProblems problems;

    JmsCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void within(FlowConfig flow) {
        SettleConfig settle = flow.settle();
        if (settle != null && flow.to() instanceof JmsTo) {
            problems.add(
                    settle.location(),
                    "'settle' queries over HTTP, but flow '" + flow.name()
                            + "' has a queue target; remove it: the broker drops a message that is sent twice with one id");
        }
        StatusConfig status = flow.status();
        if (status != null && !(flow.from() instanceof JmsFrom) && !(flow.to() instanceof JmsTo)) {
            problems.add(
                    status.location(),
                    "'status' is for transactions that pass a queue, but flow '" + flow.name()
                            + "' answers directly; remove it");
        }
        if (flow.from() instanceof JmsFrom from) {
            source(from);
        }
    }

    private void source(JmsFrom from) {
        Configured<String> deadLetter = from.deadLetter();
        if (deadLetter != null && deadLetter.value().equals(from.queue().name().value())) {
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

    void between(GatewayConfig config) {
        config.flows().forEach(flow -> statusPath(flow, config.flows()));
        BrokerConfig broker = config.broker();
        if (broker == null) {
            return;
        }
        if (!config.usesEmbeddedBroker()) {
            problems.add(
                    broker.location(),
                    "'broker' opens the embedded broker to other processes, but no flow uses it; add a flow with url: embedded, or remove 'broker'");
        }
        if (broker.login() == null && !Addresses.isLoopback(broker.host().value())) {
            problems.add(
                    broker.host().location(),
                    "'broker' listens on " + broker.host().value()
                            + ", which other machines can reach, without authentication; add user: penstock, "
                            + FlowFileReader.PASSWORD_EXAMPLE + ", or use host 127.0.0.1");
        }
        AdminConfig admin = config.admin();
        if (admin != null && clash(broker, admin.host(), admin.port())) {
            portInUse(broker, "where the admin server listens");
        }
        config.flows().stream()
                .filter(flow -> flow.from() instanceof HttpFrom from && clash(broker, from.host(), from.port()))
                .findFirst()
                .ifPresent(flow -> portInUse(broker, "where flow '" + flow.name() + "' listens"));
    }

    private static boolean clash(BrokerConfig broker, Configured<String> host, Configured<Integer> port) {
        return port.value() != 0
                && port.value().equals(broker.port().value())
                && Addresses.overlap(host.value(), broker.host().value());
    }

    private void portInUse(BrokerConfig broker, String where) {
        problems.add(
                broker.port().location(),
                "'broker.port' is " + broker.port().value() + ", " + where + "; give the broker another port");
    }

    /** The status page of a flow is on the port of its source. */
    private void statusPath(FlowConfig flow, List<FlowConfig> all) {
        if (!flow.hasStatusPage() || !(flow.from() instanceof HttpFrom at)) {
            return;
        }
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
