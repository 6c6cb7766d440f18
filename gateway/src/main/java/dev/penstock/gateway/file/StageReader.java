package dev.penstock.gateway.file;

import dev.penstock.BreakerSettings;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import dev.penstock.gateway.config.FlowConfig.BreakerConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.QueueSettings;
import org.jspecify.annotations.Nullable;

/** Reads the stages of a flow, and its store of outcomes. */
final class StageReader {
    private static final Keys RETRY =
            Keys.of("retry", "attempts (count max times), key (header), backoff (interval delay), backoff_max");
    private static final Keys LIMIT = Keys.of("limit", "min, max");
    private static final Keys QUEUE = Keys.of("queue", "time (timeout), length (size max), priority (header urgency)");
    private static final Keys BREAKER =
            Keys.of("breaker", "connect_failures, failure_percent, min_calls, open, trials");
    private static final int MAX_PERMITS = FixedLimit.MOST;

    private static final String STATUS_EXAMPLE = "status: { keep: 24h }";
    private static final Keys STATUS =
            Keys.of("status", "store (ledger database in), keep (ttl time for), max_answer (max_body)");

    private StageReader() {}

    static @Nullable RetryConfig retry(@Nullable ConfigValue value) {
        ConfigMapping retry =
                value == null ? null : value.mapping(RETRY, "retry: { attempts: 3, key: Idempotency-Key }");
        if (value == null || retry == null) {
            return null;
        }
        return new RetryConfig(
                value.location(),
                retry.read("attempts", 3, StageReader::attempts),
                retry.ifGiven("key", ConfigValue::text),
                retry.duration("backoff", "50ms", "0s", "1m"),
                retry.duration("backoff_max", "2s", "0s", "1m"));
    }

    private static @Nullable Integer attempts(ConfigValue value) {
        if (value.is("0")) {
            value.refuse("is 0, so no request would be sent", "write 1 to 10, or leave retry out");
            return null;
        }
        return value.integer(1, 10);
    }

    static LimitConfig limit(@Nullable ConfigValue value) {
        if (value == null || value.is("auto")) {
            return new LimitConfig.Automatic();
        }
        if (!value.isMapping()) {
            Integer permits = value.integer(1, MAX_PERMITS, "auto, or { min: 10, max: 400 }");
            return permits == null
                    ? new LimitConfig.Automatic()
                    : new LimitConfig.Fixed(Configured.inFile(permits, value.location()));
        }
        ConfigMapping bounds = value.mapping(LIMIT, "limit: { min: 10, max: 400 }");
        if (bounds == null || bounds.required("max", "max: 400") == null) {
            return new LimitConfig.Automatic();
        }
        return new LimitConfig.Bounds(
                bounds.integer("min", 1, 1, MAX_PERMITS), bounds.integer("max", MAX_PERMITS, 1, MAX_PERMITS));
    }

    static QueueConfig queue(@Nullable ConfigValue value) {
        if (value == null || value.is("auto")) {
            return QueueConfig.AUTOMATIC;
        }
        ConfigMapping queue = value.mapping(QUEUE, "queue: { time: 500ms }");
        if (queue == null) {
            return QueueConfig.AUTOMATIC;
        }
        return new QueueConfig(
                queue.unlessAuto("time", time -> time.duration("0s", "1h")),
                queue.unlessAuto("length", length -> length.integer(0, QueueSettings.LONGEST, "or auto")),
                queue.ifGiven("priority", name -> HeaderNames.one(name, "priority: Priority")));
    }

    static BreakerConfig breaker(@Nullable ConfigValue value) {
        if (value == null || value.is("auto")) {
            return new BreakerConfig.Automatic();
        }
        if (value.is("off")) {
            return new BreakerConfig.Off();
        }
        ConfigMapping breaker = value.mapping(BREAKER, "breaker: { open: 10s }", "auto, off");
        if (breaker == null) {
            return new BreakerConfig.Automatic();
        }
        BreakerSettings defaults = BreakerSettings.DEFAULTS;
        BreakerSettings settings = new BreakerSettings(
                breaker.integer("connect_failures", defaults.connectFailures(), 1, 10_000)
                        .value(),
                breaker.integer("failure_percent", (int) Math.round(100 * defaults.failureShare()), 1, 100)
                                .value()
                        / 100.0,
                breaker.integer("min_calls", defaults.fewestCalls(), 1, 1_000_000)
                        .value(),
                breaker.duration("open", defaults.openFor(), "1ms", "1h").value(),
                breaker.integer("trials", defaults.trials(), 1, 1_000).value());
        return new BreakerConfig.Given(Configured.inFile(settings, value.location()));
    }

    /** Where the outcomes of transactions that pass a queue are stored. */
    static @Nullable StatusConfig status(@Nullable ConfigValue value) {
        if (value == null) {
            return null;
        }
        if (value.is("off") || value.is("false")) {
            return new StatusConfig.Off(value.location());
        }
        ConfigMapping status = value.mapping(STATUS, STATUS_EXAMPLE, "off");
        if (status == null) {
            return null;
        }
        return new StatusConfig.Stored(
                value.location(),
                status.read("store", new DedupeStore.Embedded(), DedupeConfig::store),
                status.duration("keep", StatusConfig.DEFAULT_KEEP, "1s", "366d"),
                status.size("max_answer", StatusConfig.DEFAULT_MAX_ANSWER, "0B", "16MB"));
    }
}
