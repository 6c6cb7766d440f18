package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Finds what does not go with a queue, or not with the broker of this process. */
final class JmsCrossFieldChecks {
    private final ConfigProblems problems;

    JmsCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void within(FlowConfig flow) {
        SettleConfig settle = flow.settle();
        if (settle != null && flow.to() instanceof JmsTo) {
            problems.add(
                    settle.place(),
                    "'settle' asks over HTTP, and flow '" + flow.name()
                            + "' goes to a queue; leave it out, for a message that is sent twice by one id is taken once");
        }
        StatusConfig status = flow.status();
        if (status != null && !(flow.from() instanceof JmsFrom) && !(flow.to() instanceof JmsTo)) {
            problems.add(
                    status.place(),
                    "'status' is of transactions that go through a queue, and flow '" + flow.name()
                            + "' answers by itself; leave it out");
        }
        if (flow.from() instanceof JmsFrom from) {
            source(from);
        }
    }

    private void source(JmsFrom from) {
        Configured<String> deadLetter = from.deadLetter();
        if (deadLetter != null && deadLetter.value().equals(from.queue().name().value())) {
            problems.add(
                    deadLetter.place(),
                    "'from.jms.dead_letter' is the queue itself, so nothing would ever be laid aside; give it another queue");
        }
        Configured<Duration> first = from.redeliver().backoff();
        Configured<Duration> most = from.redeliver().most();
        if (first != null && most != null && first.value().compareTo(most.value()) > 0) {
            problems.add(
                    most.place(),
                    "'redeliver.backoff' is " + Durations.words(first.value())
                            + ", longer than 'redeliver.backoff_max', " + Durations.words(most.value())
                            + "; make the second at least as long");
        }
    }

    void between(GatewayConfig config) {
        config.flows().forEach(flow -> statusPath(flow, config.flows()));
        BrokerConfig broker = config.broker();
        if (broker == null) {
            return;
        }
        if (!config.hasOwnBroker()) {
            problems.add(
                    broker.place(),
                    "'broker' lets others reach the broker of this process, and no flow has one; give a flow url: embedded, or leave it out");
        }
        if (broker.login() == null && !Addresses.isLoopback(broker.host().value())) {
            problems.add(
                    broker.host().place(),
                    "'broker' listens on " + broker.host().value()
                            + ", where other machines reach it, and lets anybody in; add user: penstock, "
                            + FlowFileReader.PASSWORD_EXAMPLE + ", or use host 127.0.0.1");
        }
        AdminConfig admin = config.admin();
        if (admin != null && clash(broker, admin.host(), admin.port())) {
            taken(broker, "where the admin pages listen");
        }
        config.flows().stream()
                .filter(flow -> flow.from() instanceof HttpFrom from && clash(broker, from.host(), from.port()))
                .findFirst()
                .ifPresent(flow -> taken(broker, "where flow '" + flow.name() + "' listens"));
    }

    private static boolean clash(BrokerConfig broker, Configured<String> host, Configured<Integer> port) {
        return port.value() != 0
                && port.value().equals(broker.port().value())
                && Addresses.overlap(host.value(), broker.host().value());
    }

    private void taken(BrokerConfig broker, String where) {
        problems.add(
                broker.port().place(),
                "'broker.port' is " + broker.port().value() + ", " + where + "; give the broker a port of its own");
    }

    /** What became of a transaction is told on the port that it came by. */
    private void statusPath(FlowConfig flow, List<FlowConfig> all) {
        if (!flow.tellsStatus() || !(flow.from() instanceof HttpFrom at)) {
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
                        other.path().place(),
                        "'from.http.path' is " + FlowConfig.STATUS_PATH + ", where port "
                                + at.port().value()
                                + " tells what became of transactions of flow '" + flow.name()
                                + "'; give it another path or port"));
    }
}
