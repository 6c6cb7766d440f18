package dev.penstock.gateway.config;

import dev.penstock.source.Redelivery;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How often a failed message is retried. Null means the default of the source.
 *
 * @param attempts the total number of attempts; 1 to 1,000
 * @param backoff the wait before the second attempt; doubles from attempt to attempt
 */
public record RedeliverConfig(
        @Nullable Configured<Integer> attempts, @Nullable Configured<Duration> backoff) {
    private static final int MAX_ATTEMPTS = 1_000;
    private static final RedeliverConfig AUTOMATIC = new RedeliverConfig(null, null);

    /** The key of a source. */
    public static Key<RedeliverConfig> in(Schema source) {
        int attempts = Redelivery.DEFAULT.attempts();
        String longestText = Durations.write(Redelivery.DEFAULT.most());
        Schema keys = Schema.of("redeliver", "redeliver: { attempts: 5, backoff: 1s }")
                .removed(
                        "backoff_max",
                        "waits double up to " + longestText + ", or stay at a longer backoff; remove it");
        Key<Integer> times = keys.key(
                        "attempts", KeyType.integer(1, MAX_ATTEMPTS), "how often a message is processed in all")
                .or(attempts)
                .alias("times max count");
        Key<Duration> first = keys.key(
                        "backoff",
                        KeyType.duration("0s", "1h"),
                        "the longest wait before the second attempt, doubled for each further one up to " + longestText)
                .or(Redelivery.DEFAULT.first())
                .alias("delay");
        return source.key(
                        "redeliver",
                        KeyType.keys(keys, given -> new RedeliverConfig(given.find(times), given.find(first))),
                        "how often a failed message is tried")
                .or(AUTOMATIC)
                .without(attempts + " attempts")
                .alias("retry");
    }

    /** Configures a source with what is given. */
    public void apply(Consumer<Integer> ofAttempts, BiConsumer<Duration, Duration> ofBackoff) {
        Duration longest = Redelivery.DEFAULT.most();
        Configured.given(attempts, ofAttempts);
        Configured.given(backoff, first -> ofBackoff.accept(first, first.compareTo(longest) > 0 ? first : longest));
    }
}
