package dev.penstock.retry;

import dev.penstock.Durations;
import dev.penstock.Keyed;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * When to repeat an attempt, and how often. Immutable; each method gives a changed copy.
 *
 * <p>Defaults: 3 attempts in all, waits of up to 50 ms doubling up to 2 s, repeats of at most 20 % of the requests of the
 * last 10 s plus 2 a second.
 */
public final class Retry {
    private static final double SHARE = 0.2;
    private static final double RESERVE_PER_SECOND = 2;

    private final int attempts;
    private final Duration first;
    private final Duration most;
    private final @Nullable String keyName;
    private final Predicate<Object> hasKey;

    private Retry(int attempts, Duration first, Duration most, @Nullable String keyName, Predicate<Object> hasKey) {
        this.attempts = attempts;
        this.first = first;
        this.most = most;
        this.keyName = keyName;
        this.hasKey = hasKey;
    }

    /** Repeats only what never reached the target: rejections and failures before anything was sent. */
    public static Retry whenNotSent() {
        return with(null, request -> false);
    }

    /**
     * Repeats also unknown endings of requests that bear a key, which makes the target take them once.
     *
     * @param name the kind of key that a {@link Keyed} request is asked for, such as {@code Idempotency-Key}; a request
     *     that is not keyed, or has no such key, is repeated only when it never reached the target
     */
    public static Retry byKey(String name) {
        return with(name, request -> request instanceof Keyed keyed && keyed.key(name) != null);
    }

    /**
     * Repeats also unknown endings of requests for which a function finds a key.
     *
     * @param kind the kind of request that the function knows; others have no key
     * @param key finds a request's key; null when it has none
     */
    public static <Q> Retry byKey(Class<Q> kind, Function<? super Q, @Nullable String> key) {
        return with("a key", request -> kind.isInstance(request) && key.apply(kind.cast(request)) != null);
    }

    private static Retry with(@Nullable String keyName, Predicate<Object> hasKey) {
        return new Retry(3, Duration.ofMillis(50), Duration.ofSeconds(2), keyName, hasKey);
    }

    /**
     * How many attempts in all.
     *
     * @param count 1 to 10; 1 never repeats
     * @throws IllegalArgumentException when out of range
     */
    public Retry attempts(int count) {
        if (count < 1 || count > 10) {
            throw new IllegalArgumentException("attempts are 1 to 10, not " + count);
        }
        return new Retry(count, first, most, keyName, hasKey);
    }

    /**
     * How long to wait before repeats: a random time between 0 and a ceiling.
     *
     * @param first the ceiling before the second attempt; 0 or more
     * @param most what the ceiling doubles up to; at least {@code first}
     * @throws IllegalArgumentException when out of range
     */
    public Retry backoff(Duration first, Duration most) {
        if (first.isNegative() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException("a backoff begins with 0 or more and ends no lower, not "
                    + Durations.words(first) + " to " + Durations.words(most));
        }
        return new Retry(attempts, first, most, keyName, hasKey);
    }

    boolean hasKey(Object request) {
        return hasKey.test(request);
    }

    Backoff backoff() {
        return new Backoff(Durations.nanos(first), Durations.nanos(most));
    }

    RetryBudget budget(long now) {
        return new RetryBudget(SHARE, RESERVE_PER_SECOND, now);
    }

    /** How many attempts in all. */
    public int attempts() {
        return attempts;
    }

    /** What makes an unknown ending repeatable, as a name; null when nothing does. */
    public @Nullable String keyName() {
        return keyName;
    }

    @Override
    public String toString() {
        return "%d attempts, waits up to %s doubling to %s, %s"
                .formatted(
                        attempts,
                        Durations.words(first),
                        Durations.words(most),
                        keyName == null ? "only what was not sent" : "unknown endings by " + keyName);
    }
}
