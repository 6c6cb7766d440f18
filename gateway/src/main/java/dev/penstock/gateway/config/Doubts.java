package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;

/** Finds what is allowed, but rarely meant. */
final class Doubts {
    private Doubts() {}

    static void check(GatewayConfig config, Problems doubts) {
        for (FlowConfig flow : config.flows()) {
            Chosen<String> host = flow.from().host();
            openToAll("flow '" + flow.name() + "' listens", host, doubts);
            PoolDoubts.check(flow, doubts);
            RetryConfig retry = flow.retry();
            if (retry != null) {
                blindRetry(flow.name(), retry, doubts);
                longAttempts(flow, retry, doubts);
            }
        }
        AdminConfig admin = config.admin();
        if (admin != null) {
            openToAll("the admin pages listen", admin.host(), doubts);
        }
    }

    private static void openToAll(String who, Chosen<String> host, Problems doubts) {
        if (!Addresses.isLoopback(host.value())) {
            doubts.add(
                    host.place(),
                    who + " on " + host.value()
                            + " without TLS or authentication; put a proxy that has both in front, or use host 127.0.0.1");
        }
    }

    private static void blindRetry(String flow, RetryConfig retry, Problems doubts) {
        if (retry.key() == null && retry.attempts().value() > 1) {
            Place place = retry.attempts().inFile() ? retry.attempts().place() : retry.place();
            doubts.add(
                    place,
                    "flow '" + flow
                            + "' retries without an idempotency key, so only what surely was not sent is repeated; add for instance key: Idempotency-Key");
        }
    }

    private static void longAttempts(FlowConfig flow, RetryConfig retry, Problems doubts) {
        Chosen<Duration> answer = flow.to().pool().responseTimeout();
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
