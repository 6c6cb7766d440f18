package dev.penstock.retry;

import dev.penstock.Durations;
import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * When to repeat an attempt, and how often. Immutable; each method gives a changed copy.
 *
 * <p>Whatever is chosen, requests that only read ({@link ReadOnly}) are repeated too.
 *
 * <p>Defaults: 3 attempts in all, waits of up to 50 ms doubling up to 2 s, repeats of at most 20 % of the requests of the
 * last 10 s plus 2 a second.
 */
public final class Retry {
    private static final int DEFAULT_ATTEMPTS = 3;
    private static final double SHARE = 0.2;
    private static final double RESERVE_PER_SECOND = 2;

    private final @Nullable Integer attempts;
    private final Duration first;
    private final Duration most;
    private final @Nullable String keyName;
    private final String what;
    private final Predicate<Object> twiceAsOnce;

    private Retry(
            @Nullable Integer attempts,
            Duration first,
            Duration most,
            @Nullable String keyName,
            String what,
            Predicate<Object> twiceAsOnce) {
        this.attempts = attempts;
        this.first = first;
        this.most = most;
        this.keyName = keyName;
        this.what = what;
        this.twiceAsOnce = twiceAsOnce;
    }

    /** Repeats only what never reached the target: rejections and failures before anything was sent. */
    public static Retry whenNotSent() {
        return with(null, "only what was not sent", request -> false);
    }

    /**
     * Repeats also unknown endings of requests that bear a key, which makes the target take them once.
     *
     * @param name the kind of key that a {@link Keyed} request is asked for, such as {@code Idempotency-Key}; a request
     *     that is not keyed, or has no such key, is repeated only when it never reached the target
     */
    public static Retry byKey(String name) {
        return with(
                name,
                "unknown endings by " + name,
                request -> request instanceof Keyed keyed && keyed.key(name) != null);
    }

    /**
     * Repeats also unknown endings of requests for which a function finds a key.
     *
     * @param kind the kind of request that the function knows; others have no key
     * @param key finds a request's key; null when it has none
     */
    public static <Q> Retry byKey(Class<Q> kind, Function<? super Q, @Nullable String> key) {
        return with(
                "a key",
                "unknown endings by a key",
                request -> kind.isInstance(request) && key.apply(kind.cast(request)) != null);
    }

    /** Repeats also unknown endings, for every request is declared idempotent: taken twice, it takes effect once. */
    public static Retry ofIdempotent() {
        return with(null, "unknown endings too, as requests are declared idempotent", request -> true);
    }

    /**
     * Repeats also unknown endings of requests that are declared idempotent: taken twice, they take effect once.
     *
     * @param kind the kind of request that the function knows; others are not idempotent
     * @param idempotent tells whether a request is
     */
    public static <Q> Retry ofIdempotent(Class<Q> kind, Predicate<? super Q> idempotent) {
        return with(
                null,
                "unknown endings of requests that are declared idempotent",
                request -> kind.isInstance(request) && idempotent.test(kind.cast(request)));
    }

    private static Retry with(@Nullable String keyName, String what, Predicate<Object> twiceAsOnce) {
        return new Retry(null, Duration.ofMillis(50), Duration.ofSeconds(2), keyName, what, twiceAsOnce);
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
        return new Retry(count, first, most, keyName, what, twiceAsOnce);
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
        return new Retry(attempts, first, most, keyName, what, twiceAsOnce);
    }

    /** Whether a request that may have taken effect may be sent again. */
    public boolean takesTwiceAsOnce(Object request) {
        return ReadOnly.is(request) || twiceAsOnce.test(request);
    }

    Backoff backoff() {
        return new Backoff(Durations.nanos(first), Durations.nanos(most));
    }

    RetryBudget budget(LongUnaryOperator requests, long now) {
        return new RetryBudget(SHARE, RESERVE_PER_SECOND, requests, now);
    }

    /** How many attempts in all. */
    public int attempts() {
        return attempts == null ? DEFAULT_ATTEMPTS : attempts;
    }

    /**
     * All of this as settings.
     *
     * @param since when they took their values
     */
    public List<Setting> settings(Instant since) {
        return List.of(new Setting(
                "retry.attempts",
                Integer.toString(attempts()),
                "1..10",
                toString(),
                since,
                attempts == null ? Origin.DEFAULT : Origin.FILE));
    }

    /** The name of the key that makes an unknown ending repeatable; null when no key does. */
    public @Nullable String keyName() {
        return keyName;
    }

    @Override
    public String toString() {
        return "%d attempts, waits up to %s doubling to %s, %s"
                .formatted(attempts(), Durations.words(first), Durations.words(most), what);
    }
}
