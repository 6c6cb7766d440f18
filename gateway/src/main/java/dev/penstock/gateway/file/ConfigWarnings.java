package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Warns about configurations that are valid but probably unintended. */
final class ConfigWarnings {
    private ConfigWarnings() {}

    static void check(GatewayConfig config, Transports transports, ConfigProblems warnings) {
        for (FlowConfig flow : config.flows()) {
            pool(flow, warnings);
            RetryConfig retry = flow.retry();
            if (retry != null) {
                retryWithoutKey(flow, retry, warnings);
                attemptsBeyondDeadline(flow, retry, warnings);
            }
            settleAfterDeadline(flow, warnings);
            keysExpireEarly(flow, warnings);
            flow.from().warn(flow, config, warnings);
            flow.to().warn(flow, config, warnings);
        }
        transports.all().forEach(transport -> transport.warn(config, warnings));
        AdminConfig admin = config.admin();
        if (admin != null) {
            Addresses.warnUnprotected("the admin pages listen", admin.host(), warnings);
        }
    }

    private static void retryWithoutKey(FlowConfig flow, RetryConfig retry, ConfigProblems warnings) {
        boolean repeatable = flow.isRepeatableById()
                || retry.key() != null
                || flow.idempotent().value()
                || flow.settle() != null;
        if (!repeatable && retry.attempts().value() > 1) {
            FileLocation location = retry.attempts().inFile() ? retry.attempts().location() : retry.location();
            warnings.add(
                    location,
                    "flow '" + flow.name()
                            + "' retries without an idempotency key, so a request that may change data is only retried if it was certainly not sent; add for instance key: Idempotency-Key, idempotent: true, or settle");
        }
    }

    private static void settleAfterDeadline(FlowConfig flow, ConfigProblems warnings) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        SettleConfig settle = flow.settle();
        if (answer == null || settle == null) {
            return;
        }
        Duration settledAt = answer.value().plus(settle.after().value());
        Duration deadline = flow.deadline().value();
        if (settledAt.compareTo(deadline) >= 0) {
            warnings.add(
                    answer.location(),
                    "an answer may take up to %s and the status query follows %s later, but the deadline is %s, so a timed-out request stays unknown; lower response_timeout or settle.after, or raise the deadline"
                            .formatted(format(answer), format(settle.after()), Durations.format(deadline)));
        }
    }

    private static void attemptsBeyondDeadline(FlowConfig flow, RetryConfig retry, ConfigProblems warnings) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        if (answer == null) {
            return;
        }
        Duration all = answer.value().multipliedBy(retry.attempts().value());
        Duration deadline = flow.deadline().value();
        if (all.compareTo(deadline) > 0) {
            warnings.add(
                    answer.location(),
                    "%d attempts of up to %s take up to %s, longer than the deadline of %s, which cuts off the last attempts; lower response_timeout or attempts, or raise the deadline"
                            .formatted(
                                    retry.attempts().value(),
                                    format(answer),
                                    Durations.format(all),
                                    Durations.format(deadline)));
        }
    }

    private static void keysExpireEarly(FlowConfig flow, ConfigProblems warnings) {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe != null && dedupe.keep().value().compareTo(flow.deadline().value()) < 0) {
            warnings.add(
                    dedupe.keep().location(),
                    "'dedupe.keep' is %s, shorter than the deadline of %s, so a client that repeats a slow request may find its key expired and the request is executed twice; keep keys for as long as clients may retry"
                            .formatted(format(dedupe.keep()), format(flow.deadline())));
        }
    }

    private static void pool(FlowConfig flow, ConfigProblems warnings) {
        PoolConfig pool = flow.to().pool();
        Configured<Duration> waiting = pool.waiting();
        if (waiting != null && waiting.value().compareTo(flow.deadline().value()) > 0) {
            warnings.add(
                    waiting.location(),
                    "flow '%s' waits up to %s for a connection, longer than its deadline of %s, which ends the wait; lower pool.wait"
                            .formatted(flow.name(), format(waiting), format(flow.deadline())));
        }
        beyondIdle(
                pool.sweep(),
                pool.idle(),
                "idle connections of flow '%s' are only checked every %s, so a connection may stay idle that much longer than pool.idle (%s); lower pool.sweep, or remove it",
                flow,
                warnings);
        beyondIdle(
                pool.validateAfter(),
                pool.idle(),
                "connections of flow '%s' are validated after %s idle but closed after %s idle, so never validated; lower pool.validate_after, or remove it",
                flow,
                warnings);
    }

    private static void beyondIdle(
            @Nullable Configured<Duration> time,
            @Nullable Configured<Duration> idle,
            String text,
            FlowConfig flow,
            ConfigProblems warnings) {
        if (time != null && idle != null && time.value().compareTo(idle.value()) > 0) {
            warnings.add(time.location(), text.formatted(flow.name(), format(time), format(idle)));
        }
    }

    private static String format(Configured<Duration> time) {
        return Durations.format(time.value());
    }
}
