package dev.penstock.gateway.config;

import dev.penstock.Prioritized;
import dev.penstock.text.Rates;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The share of each caller in a flow: the keys of {@code callers}. A caller that may have more, or less, has a line in the key
 * file.
 *
 * @param location where it is in the file
 * @param rate requests per second; null for no limit
 * @param burst requests at once after a pause; null for those of one second
 * @param concurrency requests in progress; null for no limit
 * @param priority the urgency of its requests, and the most urgent that they may ask for
 */
public record CallersConfig(
        FileLocation location,
        @Nullable Configured<Double> rate,
        @Nullable Configured<Integer> burst,
        @Nullable Configured<Integer> concurrency,
        Configured<Integer> priority) {
    /** The smallest and the largest rate of a caller, per second. */
    public static final double LEAST_RATE = 0.01;

    /** See {@link #LEAST_RATE}. */
    public static final double MOST_RATE = 1_000_000;

    /** The largest burst and concurrency. */
    public static final int MOST = 1_000_000;

    private static final Schema CALLERS = Schema.of("callers", "callers: { rate: 100/s, burst: 200, concurrency: 20 }");
    private static final Key<Double> RATE = CALLERS.key(
                    "rate",
                    KeyType.rate(LEAST_RATE, MOST_RATE),
                    "how many requests a second each caller may send; above it 429")
            .without("no limit");
    private static final Key<Integer> BURST = CALLERS.key(
                    "burst", KeyType.integer(1, MOST), "how many requests a caller may send at once after a pause")
            .without("as many as its rate allows in a second");
    private static final Key<Integer> CONCURRENCY = CALLERS.key(
                    "concurrency", KeyType.integer(1, MOST), "how many requests of each caller may be in progress")
            .without("no limit")
            .alias("max_concurrency limit");
    private static final Key<Integer> PRIORITY = CALLERS.key(
                    "priority",
                    KeyType.integer(0, Prioritized.LEAST_URGENT),
                    "the urgency of a caller's requests, 0 (most) to 7; its header can only make a request less urgent")
            .or(Prioritized.DEFAULT_URGENCY)
            .alias("urgency");

    /** The key {@code callers} of a flow. */
    public static final Key<CallersConfig> KEY = Key.of(
                    "callers",
                    KeyType.mapping(CALLERS, CallersConfig::read),
                    "the share of each caller; without from.http.auth of each client address")
            .without("no limits")
            .alias("clients shares");

    /** The limits, for people. */
    public String limits() {
        return Stream.of(
                        rate == null ? "" : "rate " + Rates.format(rate.value()),
                        burst == null ? "" : "burst " + burst.value(),
                        concurrency == null ? "" : "concurrency " + concurrency.value(),
                        "priority " + priority.value())
                .filter(limit -> !limit.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static @Nullable CallersConfig read(ConfigValue value) {
        ConfigMapping given = value.mapping(CALLERS);
        if (given == null) {
            return null;
        }
        if (given.has(BURST) && !given.has(RATE)) {
            given.refuse(BURST, "is given without 'rate'", "add for instance rate: 100/s");
        }
        return new CallersConfig(
                value.location(), given.find(RATE), given.find(BURST), given.find(CONCURRENCY), given.get(PRIORITY));
    }
}
