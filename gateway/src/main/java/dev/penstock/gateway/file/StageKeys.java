package dev.penstock.gateway.file;

import dev.penstock.BreakerSettings;
import dev.penstock.Retry;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.BreakerConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.QueueSettings;
import dev.penstock.limit.SharedLimit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of a flow that add or configure a stage. */
public final class StageKeys {
    /** Several servers have stages of their own, which the settings of the flow only list. */
    private static final String ONE_SERVER = "with one server";

    static final Key<Duration> DEADLINE = Key.of(
                    "deadline",
                    KeyType.duration("1ms", "1h"),
                    "the time limit of a whole transaction, waits and retries included")
            .or(FlowConfig.DEFAULT_DEADLINE)
            .alias("timeout");

    private static final KeyType<List<Integer>> ERROR_STATUSES =
            KeyType.integer(400, 599).orList(20);

    private static final Schema RETRY_KEYS = Schema.of("retry", "retry: { attempts: 3, key: Idempotency-Key }");
    private static final Key<Integer> ATTEMPTS = RETRY_KEYS
            .key("attempts", KeyType.integer(1, 10).readBy(StageKeys::attempts), "how often a request is sent in all")
            .or(Retry.DEFAULT_ATTEMPTS)
            .alias("count max times");
    private static final Key<String> RETRY_KEY = RETRY_KEYS
            .key(
                    "key",
                    KeyType.text(),
                    "the header with an idempotency key by which the target recognizes a request that is sent again")
            .without("only requests that were not sent are sent again")
            .alias("header");
    private static final Key<Duration> BACKOFF = RETRY_KEYS
            .key(
                    "backoff",
                    KeyType.duration("0s", "1m"),
                    "the longest wait before the second attempt, doubled for each further one")
            .or(Retry.DEFAULT_BACKOFF)
            .alias("interval delay");
    private static final Key<Duration> BACKOFF_MAX = RETRY_KEYS
            .key("backoff_max", KeyType.duration("0s", "1m"), "the upper bound of the doubling wait")
            .or(Retry.DEFAULT_BACKOFF_MAX);
    private static final Key<List<Integer>> RETRY_ANSWERS = RETRY_KEYS
            .key(
                    "answers",
                    ERROR_STATUSES,
                    "the statuses of answers after which a request that may be sent twice is sent again, with Retry-After")
            .without("answers are passed on")
            .alias("statuses status on");
    static final Key<RetryConfig> RETRY = Key.of(
                    "retry",
                    KeyType.keys(RETRY_KEYS, StageKeys::retry),
                    "what sends a request again after an attempt without an answer")
            .without("off")
            .alias("retries");

    /** Shown in {@code /settings}. */
    public static final Key<Boolean> IDEMPOTENT = Key.of(
                    "idempotent", KeyType.bool(), "whether every request may be sent twice with the effect of once")
            .or(false);

    private static final Schema LIMIT_KEYS = Schema.of("limit", "limit: { min: 10, max: 400 }");
    private static final KeyType<Integer> PERMITS = KeyType.integer(1, FixedLimit.MOST);
    private static final Key<Integer> MIN = LIMIT_KEYS
            .key("min", PERMITS, "the lower bound of the adaptive limit")
            .or(1);
    private static final Key<Integer> MAX = LIMIT_KEYS
            .key("max", PERMITS, "the upper bound of the adaptive limit")
            .required("max: 400");
    static final Key<LimitConfig> LIMIT = Key.of(
                    "limit",
                    KeyType.mapping(LIMIT_KEYS, StageKeys::limit)
                            .or(KeyType.integer(1, FixedLimit.MOST))
                            .orWords("auto"),
                    "the maximum number of concurrent calls to the target: adaptive, fixed, or adaptive within bounds")
            .or(new LimitConfig.Automatic())
            .without("auto: measured")
            .pinnable(ONE_SERVER)
            .alias("concurrency max_concurrency");

    static final Key<Double> RATE = Key.of(
                    "rate",
                    KeyType.rate(SharedLimit.LEAST_RATE, SharedLimit.MOST_RATE),
                    "how many calls to the target may begin a second")
            .auto("none, until refusals of the target show one")
            .pinnable(ONE_SERVER);

    private static final Schema QUEUE_KEYS = Schema.of("queue", "queue: { time: 500ms }");
    private static final Key<Duration> TIME = QUEUE_KEYS
            .key("time", KeyType.duration("0s", "1h"), "how long a transaction may wait for the limit")
            .auto("by the deadline and the time of an answer")
            .pinnable(ONE_SERVER)
            .alias("timeout");
    private static final Key<Integer> LENGTH = QUEUE_KEYS
            .key(
                    "length",
                    KeyType.integer(0, QueueSettings.LONGEST, "or auto"),
                    "the maximum number of transactions that wait for the limit")
            .auto("as many as can be sent in time")
            .pinnable(ONE_SERVER)
            .alias("size max");
    /** Shown in {@code /settings}. */
    public static final Key<String> PRIORITY = QUEUE_KEYS
            .key(
                    "priority",
                    HeaderNames.name("priority: Priority"),
                    "the request header with the urgency, u=0 (most) to u=7 (RFC 9218); urgent requests wait less")
            .without("all are equal")
            .alias("header urgency");

    static final Key<QueueConfig> QUEUE = Key.of(
                    "queue",
                    KeyType.mapping(QUEUE_KEYS, StageKeys::queue).orWords("auto"),
                    "how transactions wait for the limit")
            .or(QueueConfig.AUTOMATIC)
            .without("auto");

    private static final Schema BREAKER_KEYS = Schema.of("breaker", "breaker: { open: 10s }");
    private static final Key<Integer> CONNECT_FAILURES = BREAKER_KEYS
            .key("connect_failures", KeyType.integer(1, 10_000), "how many failed connects in a row open the breaker")
            .or(BreakerSettings.DEFAULTS.connectFailures());
    private static final Key<Integer> FAILURE_PERCENT = BREAKER_KEYS
            .key(
                    "failure_percent",
                    KeyType.integer(1, 100),
                    "the share of failed calls that opens the breaker, in percent")
            .or((int) Math.round(100 * BreakerSettings.DEFAULTS.failureShare()));
    private static final Key<Integer> MIN_CALLS = BREAKER_KEYS
            .key(
                    "min_calls",
                    KeyType.integer(1, 1_000_000),
                    "the number of calls below which that share does not count")
            .or(BreakerSettings.DEFAULTS.fewestCalls());
    private static final Key<Duration> OPEN = BREAKER_KEYS
            .key("open", KeyType.duration("1ms", "1h"), "how long calls are rejected before some are tried")
            .or(BreakerSettings.DEFAULTS.openFor());
    private static final Key<Integer> TRIALS = BREAKER_KEYS
            .key("trials", KeyType.integer(1, 1_000), "how many calls are tried then")
            .or(BreakerSettings.DEFAULTS.trials());
    private static final Key<List<Integer>> FAILURE_ANSWERS = BREAKER_KEYS
            .key("answers", ERROR_STATUSES, "the statuses of answers that count as failed calls")
            .without("none, as answers show that the target is alive; of several servers, 502, 503 and 504 eject one")
            .alias("statuses status");
    static final Key<BreakerConfig> BREAKER = Key.of(
                    "breaker",
                    KeyType.mapping(BREAKER_KEYS, StageKeys::breaker).orWords("auto", "off"),
                    "what rejects calls for a while when the target only fails")
            .or(new BreakerConfig.Automatic())
            .without("auto")
            .alias("circuit_breaker");

    private StageKeys() {}

    private static RetryConfig retry(ConfigMapping retry) {
        return new RetryConfig(
                retry.start(),
                retry.get(ATTEMPTS),
                retry.find(RETRY_KEY),
                retry.get(BACKOFF),
                retry.get(BACKOFF_MAX),
                all(retry.valueOf(RETRY_ANSWERS)));
    }

    private static Set<Integer> all(@Nullable List<Integer> statuses) {
        return statuses == null ? Set.of() : Set.copyOf(statuses);
    }

    private static @Nullable Integer attempts(ConfigValue value) {
        if (value.is("0")) {
            value.refuse("is 0, so no request would be sent", "write 1 to 10, or leave retry out");
            return null;
        }
        return value.integer(1, 10);
    }

    private static @Nullable LimitConfig limit(ConfigValue value) {
        if (value.is("auto")) {
            return new LimitConfig.Automatic();
        }
        if (!value.isMapping()) {
            Integer permits = value.integer(1, FixedLimit.MOST, "auto, or { min: 10, max: 400 }");
            return permits == null ? null : new LimitConfig.Fixed(Configured.inFile(permits, value.location()));
        }
        ConfigMapping bounds = value.mapping(LIMIT_KEYS);
        if (bounds == null || bounds.written(MAX) == null) {
            return null;
        }
        Configured<Integer> max = bounds.find(MAX);
        return new LimitConfig.Bounds(bounds.get(MIN), max == null ? Configured.byDefault(FixedLimit.MOST) : max);
    }

    private static @Nullable QueueConfig queue(ConfigValue value) {
        if (value.is("auto")) {
            return QueueConfig.AUTOMATIC;
        }
        ConfigMapping queue = value.mapping(QUEUE_KEYS);
        return queue == null ? null : new QueueConfig(queue.find(TIME), queue.find(LENGTH), queue.find(PRIORITY));
    }

    private static @Nullable BreakerConfig breaker(ConfigValue value) {
        if (value.is("auto")) {
            return new BreakerConfig.Automatic();
        }
        if (value.is("off")) {
            return new BreakerConfig.Off();
        }
        ConfigMapping breaker = value.mapping(BREAKER_KEYS, "auto, off");
        if (breaker == null) {
            return null;
        }
        BreakerSettings settings = new BreakerSettings(
                breaker.get(CONNECT_FAILURES).value(),
                breaker.get(FAILURE_PERCENT).value() / 100.0,
                breaker.get(MIN_CALLS).value(),
                breaker.get(OPEN).value(),
                breaker.get(TRIALS).value(),
                all(breaker.valueOf(FAILURE_ANSWERS)));
        return new BreakerConfig.Given(Configured.inFile(settings, value.location()));
    }
}
