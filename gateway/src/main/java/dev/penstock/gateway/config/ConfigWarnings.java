package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;

/** Finds what is allowed, but rarely meant. */
final class ConfigWarnings {
    private ConfigWarnings() {}

    static void check(GatewayConfig config, ConfigProblems doubts) {
        for (FlowConfig flow : config.flows()) {
            if (flow.from() instanceof HttpFrom from) {
                openToAll("flow '" + flow.name() + "' listens", from.host(), doubts);
            }
            PoolWarnings.check(flow, doubts);
            RetryConfig retry = flow.retry();
            if (retry != null) {
                blindRetry(flow, retry, doubts);
                longAttempts(flow, retry, doubts);
            }
            idleWord(flow, doubts);
            lateQuestions(flow, doubts);
            keyedAlone(flow, doubts);
            DedupeWarnings.check(flow, doubts);
            JmsWarnings.check(flow, config, doubts);
            UdpWarnings.check(flow, doubts);
        }
        NestingWarnings.check(config, doubts);
        AdminConfig admin = config.admin();
        if (admin != null) {
            openToAll("the admin pages listen", admin.host(), doubts);
        }
        BrokerConfig broker = config.broker();
        if (broker != null) {
            unencrypted(broker.host(), doubts);
        }
    }

    private static void openToAll(String who, Configured<String> host, ConfigProblems doubts) {
        if (!Addresses.isLoopback(host.value())) {
            doubts.add(
                    host.place(),
                    who + " on " + host.value()
                            + " without TLS or authentication; put a proxy that has both in front, or use host 127.0.0.1");
        }
    }

    private static void unencrypted(Configured<String> host, ConfigProblems doubts) {
        if (!Addresses.isLoopback(host.value())) {
            doubts.add(
                    host.place(),
                    "the broker listens on " + host.value()
                            + " without TLS, so its password and the messages travel unencrypted; put a proxy that has TLS in front, or use host 127.0.0.1");
        }
    }

    private static void blindRetry(FlowConfig flow, RetryConfig retry, ConfigProblems doubts) {
        boolean sighted = flow.isRepeatableById()
                || retry.key() != null
                || flow.idempotent().value()
                || flow.settle() != null;
        if (!sighted && retry.attempts().value() > 1) {
            FileLocation place = retry.attempts().inFile() ? retry.attempts().place() : retry.place();
            doubts.add(
                    place,
                    "flow '" + flow.name()
                            + "' retries without an idempotency key, so of what may change something only what surely was not sent is repeated; add for instance key: Idempotency-Key, idempotent: true, or settle");
        }
    }

    private static void idleWord(FlowConfig flow, ConfigProblems doubts) {
        if (flow.idempotent().value() && flow.retry() == null && flow.from() instanceof HttpFrom) {
            doubts.add(
                    flow.idempotent().place(),
                    "flow '" + flow.name()
                            + "' is idempotent, but nothing is repeated; add for instance retry: { attempts: 3 }");
        }
    }

    private static void lateQuestions(FlowConfig flow, ConfigProblems doubts) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        SettleConfig settle = flow.settle();
        if (answer == null || settle == null) {
            return;
        }
        Duration asked = answer.value().plus(settle.after().value());
        Duration deadline = flow.deadline().value();
        if (asked.compareTo(deadline) >= 0) {
            doubts.add(
                    answer.place(),
                    "an answer may take up to %s, and a question comes %s later, but the deadline is %s, so what timed out stays unknown; lower response_timeout or settle.after, or raise the deadline"
                            .formatted(
                                    Durations.words(answer.value()),
                                    Durations.words(settle.after().value()),
                                    Durations.words(deadline)));
        }
    }

    private static void keyedAlone(FlowConfig flow, ConfigProblems doubts) {
        CollapseConfig collapse = flow.collapse() instanceof CollapseConfig http ? http : null;
        RetryConfig retry = flow.retry();
        Configured<String> key = retry == null ? null : retry.key();
        SettleConfig settle = flow.settle();
        String asked = settle == null ? null : settle.references().getFirst();
        String header = key == null ? asked : key.value();
        if (collapse == null || collapse.inBody() != null || header == null) {
            return;
        }
        doubts.add(
                collapse.place(),
                "requests of flow '" + flow.name() + "' with the header " + header
                        + " go alone, since a batch cannot bear the header of each; if their bodies bear it too, add the member that does, for instance in_body: reference");
    }

    private static void longAttempts(FlowConfig flow, RetryConfig retry, ConfigProblems doubts) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        if (answer == null) {
            return;
        }
        Duration all = answer.value().multipliedBy(retry.attempts().value());
        Duration deadline = flow.deadline().value();
        if (all.compareTo(deadline) > 0) {
            doubts.add(
                    answer.place(),
                    "%d attempts of up to %s take up to %s, beyond the deadline of %s, which cuts the last ones short; lower response_timeout or attempts, or raise the deadline"
                            .formatted(
                                    retry.attempts().value(),
                                    Durations.words(answer.value()),
                                    Durations.words(all),
                                    Durations.words(deadline)));
        }
    }
}
