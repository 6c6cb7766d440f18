package dev.penstock.gateway.file;

import dev.penstock.BreakerSettings;
import dev.penstock.Retry;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RateConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.HeaderNames;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.QueueSettings;
import dev.penstock.limit.SharedLimit;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    private static final String AUTOMATIC_WAITS = "waits begin at %s at most and double up to %s; remove it"
            .formatted(Durations.write(Retry.DEFAULT_BACKOFF), Durations.write(Retry.DEFAULT_BACKOFF_MAX));
    private static final Schema RETRY_KEYS = Schema.of("retry", "retry: { attempts: 3, key: Idempotency-Key }")
            .removed("backoff", AUTOMATIC_WAITS)
            .removed("backoff_max", AUTOMATIC_WAITS);
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
    private static final Key<List<Integer>> RETRY_ANSWERS = RETRY_KEYS
            .key(
                    "answers",
                    KeyType.integer(400, 599).orList(20),
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
    private static final Key<Integer> MAX = LIMIT_KEYS.key("max", PERMITS, "the upper bound of the adaptive limit");
    private static final Key<Integer> FLEET = LIMIT_KEYS
            .key("fleet", PERMITS, "the limit of all gateways together whose flows have this name and share a store")
            .excludes(MIN, "is combined with 'min'", "remove one of the two")
            .excludes(MAX, "is combined with 'max'", "remove one of the two");
    private static final Key<Integer> SAFE = LIMIT_KEYS
            .key("safe", PERMITS, "the limit of one gateway of the fleet when it cannot reach the store for 10 s")
            .without("an even share among the gateways that were there before");
    static final Key<LimitConfig> LIMIT = Key.of(
                    "limit",
                    KeyType.mapping(LIMIT_KEYS.either(MAX, FLEET), StageKeys::limit)
                            .or(KeyType.integer(1, FixedLimit.MOST))
                            .orWords("auto"),
                    "the maximum number of concurrent calls to the target: adaptive, fixed, or adaptive within bounds")
            .or(new LimitConfig.Automatic())
            .without("auto: measured")
            .pinnable(ONE_SERVER)
            .alias("concurrency max_concurrency");

    private static final KeyType<Double> CALLS = KeyType.rate(SharedLimit.LEAST_RATE, SharedLimit.MOST_RATE);
    private static final Schema RATE_KEYS = Schema.of("rate", "rate: { fleet: 500/s }");
    private static final Key<Double> FLEET_RATE = RATE_KEYS
            .key("fleet", CALLS, "the rate of all gateways together whose flows have this name and share a store")
            .required("fleet: 500/s");
    static final Key<RateConfig> RATE = Key.of(
                    "rate",
                    KeyType.mapping(RATE_KEYS, StageKeys::rate).or(CALLS),
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

    private static final String AUTOMATIC_BREAKER =
            "the breaker decides it; remove it, or turn the breaker off with breaker: off";
    private static final Schema BREAKER_KEYS = Schema.of("breaker", "breaker: { failure_percent: 50 }")
            .removed("connect_failures", AUTOMATIC_BREAKER)
            .removed("min_calls", AUTOMATIC_BREAKER)
            .removed("open", AUTOMATIC_BREAKER)
            .removed("trials", AUTOMATIC_BREAKER)
            .removed("answers", "answers show that the target is alive; repeat some with retry.answers, or remove it");
    private static final Key<Integer> FAILURE_PERCENT = BREAKER_KEYS
            .key(
                    "failure_percent",
                    KeyType.integer(1, 100),
                    "the share of failed calls that opens the breaker, in percent")
            .or(BreakerSettings.DEFAULT_FAILURE_PERCENT);
    static final Key<Optional<BreakerSettings>> BREAKER = Key.of(
                    "breaker",
                    KeyType.mapping(BREAKER_KEYS, StageKeys::breaker).orWords("auto", "off"),
                    "what rejects calls for a while when the target only fails")
            .or(Optional.of(BreakerSettings.DEFAULTS))
            .without("auto")
            .alias("circuit_breaker");

    private StageKeys() {}

    private static RetryConfig retry(ConfigMapping retry) {
        List<Integer> answers = retry.valueOf(RETRY_ANSWERS);
        return new RetryConfig(
                retry.start(),
                retry.get(ATTEMPTS),
                retry.find(RETRY_KEY),
                answers == null ? Set.of() : Set.copyOf(answers));
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
            return permits == null ? null : new LimitConfig.Fixed(Configured.fromFile(permits, value.location()));
        }
        ConfigMapping bounds = value.mapping(LIMIT_KEYS);
        if (bounds == null) {
            return null;
        }
        Configured<Integer> total = bounds.find(FLEET);
        if (total != null) {
            return new LimitConfig.Fleet(total, bounds.find(SAFE));
        }
        if (!bounds.has(MAX) && !bounds.has(FLEET)) {
            bounds.refuse("limit has neither 'max' nor 'fleet'; add for instance max: 400");
            return null;
        }
        Configured<Integer> max = bounds.find(MAX);
        return new LimitConfig.Bounds(bounds.get(MIN), max == null ? Configured.byDefault(FixedLimit.MOST) : max);
    }

    private static @Nullable RateConfig rate(ConfigValue value) {
        ConfigMapping shared = value.isMapping() ? value.mapping(RATE_KEYS) : null;
        Configured<Double> total = shared == null ? null : shared.find(FLEET_RATE);
        if (total != null) {
            return new RateConfig(total, true);
        }
        Double own = value.isMapping() ? null : CALLS.read().apply(value);
        return own == null ? null : new RateConfig(Configured.fromFile(own, value.location()), false);
    }

    private static @Nullable QueueConfig queue(ConfigValue value) {
        if (value.is("auto")) {
            return QueueConfig.AUTOMATIC;
        }
        ConfigMapping queue = value.mapping(QUEUE_KEYS);
        return queue == null ? null : new QueueConfig(queue.find(TIME), queue.find(LENGTH), queue.find(PRIORITY));
    }

    @SuppressWarnings("NullableOptional") // null for an invalid value, as all readers
    private static @Nullable Optional<BreakerSettings> breaker(ConfigValue value) {
        BreakerSettings standard = BreakerSettings.DEFAULTS;
        if (value.is("auto") || value.is("off")) {
            return value.is("auto") ? Optional.of(standard) : Optional.empty();
        }
        ConfigMapping breaker = value.mapping(BREAKER_KEYS, "auto, off");
        if (breaker == null) {
            return null;
        }
        return Optional.of(new BreakerSettings(
                standard.connectFailures(),
                breaker.get(FAILURE_PERCENT).value() / 100.0,
                standard.fewestCalls(),
                standard.openFor(),
                standard.trials()));
    }
}
