package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Configures retries: which requests are retried, how often and when. Immutable; each method returns a changed copy.
 *
 * <p>With every configuration, read-only requests ({@link ReadOnly}) are retried after any ending.
 *
 * <p>Defaults: 3 attempts in total; random waits of up to 50 ms, doubling up to 2 s. At most 20 % of the requests of the
 * last 10 s plus 2 per second are sent again; repeats of what was never sent do not count.
 *
 * @param <Q> the requests that it can decide about
 */
public final class Retry<Q> {
    /** The default number of attempts: {@value}. */
    public static final int DEFAULT_ATTEMPTS = 3;

    /** The default of the longest wait before the second attempt: 50 ms. */
    public static final Duration DEFAULT_BACKOFF = Duration.ofMillis(50);

    /** The default of the upper bound of the doubling wait: 2 s. */
    public static final Duration DEFAULT_BACKOFF_MAX = Duration.ofSeconds(2);

    private final @Nullable Integer attempts;
    private final Duration first;
    private final Duration most;
    private final String what;
    private final Predicate<? super Q> idempotent;
    private final Set<Integer> answers;

    private Retry(
            @Nullable Integer attempts,
            Duration first,
            Duration most,
            String what,
            Predicate<? super Q> idempotent,
            Set<Integer> answers) {
        this.attempts = attempts;
        this.first = first;
        this.most = most;
        this.what = what;
        this.idempotent = idempotent;
        this.answers = answers;
    }

    /**
     * Retries only requests that cannot have taken effect: read-only ones, rejections, and failures before anything was sent
     * or for a transient reason.
     *
     * @return the configuration
     */
    public static Retry<Object> whenNotSent() {
        return with("only what was not sent", request -> false);
    }

    /**
     * Also retries unknown endings of requests that carry a key, by which the target deduplicates them.
     *
     * <p>Only for flows whose requests are {@link Keyed}; for others use {@link #byKey(Function)}.
     *
     * @param name the kind of key to read from a request, such as {@code Idempotency-Key}; a request without such a key is
     *     retried as by {@link #whenNotSent}
     * @return the configuration
     */
    public static Retry<Keyed> byKey(String name) {
        return with("unknown endings by " + name, request -> request.key(name) != null);
    }

    /**
     * Also retries unknown endings of requests for which a function returns a key.
     *
     * @param <Q> the request
     * @param key returns a request's key; null when it has none
     * @return the configuration
     */
    public static <Q> Retry<Q> byKey(Function<? super Q, @Nullable String> key) {
        return with("unknown endings by a key", request -> key.apply(request) != null);
    }

    /**
     * Also retries unknown endings of all requests, which are declared idempotent: sent twice, they take effect once.
     *
     * @return the configuration
     */
    public static Retry<Object> ofIdempotent() {
        return with("unknown endings too, as requests are declared idempotent", request -> true);
    }

    /**
     * Also retries unknown endings of requests that are declared idempotent: sent twice, they take effect once.
     *
     * @param <Q> the request
     * @param idempotent whether a request is idempotent
     * @return the configuration
     */
    public static <Q> Retry<Q> ofIdempotent(Predicate<? super Q> idempotent) {
        return with("unknown endings of requests that are declared idempotent", idempotent);
    }

    private static <Q> Retry<Q> with(String what, Predicate<? super Q> idempotent) {
        return new Retry<>(null, DEFAULT_BACKOFF, DEFAULT_BACKOFF_MAX, what, idempotent, Set.of());
    }

    /**
     * Sets the maximum number of attempts in total. Default: 3.
     *
     * @param count 1 to 10; 1 turns retries off
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Retry<Q> attempts(int count) {
        return new Retry<>(Ranges.within("retry.attempts", count, 1, 10), first, most, what, idempotent, answers);
    }

    /**
     * Sets the wait before retries: a random time between 0 and a ceiling, which doubles with each retry. Default: 50 ms,
     * up to 2 s.
     *
     * @param first the ceiling before the second attempt; 0 or more
     * @param most the maximum of the ceiling; at least {@code first}
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Retry<Q> backoff(Duration first, Duration most) {
        if (first.isNegative() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException("the first backoff is 0 or more and at most the maximum, not "
                    + Durations.format(first) + " with a maximum of " + Durations.format(most));
        }
        return new Retry<>(attempts, first, most, what, idempotent, answers);
    }

    /**
     * Also retries requests that are answered with one of these statuses ({@link Busy#status()}), such as 429 and 503, if they
     * {@linkplain #isIdempotent may be sent again}. The wait is the random one, plus that which the answer asks for ({@link
     * Busy#retryAfter()}). When no attempt, time or budget is left, the answer is passed on at once. Default: none.
     *
     * @param statuses 400 to 599
     * @return a changed copy
     * @throws IllegalArgumentException when a status is out of range
     */
    public Retry<Q> answers(Integer... statuses) {
        for (int status : statuses) {
            if (!isErrorStatus(status)) {
                throw new IllegalArgumentException("answers to retry have status 400 to 599, not " + status);
            }
        }
        return new Retry<>(attempts, first, most, what, idempotent, Set.copyOf(List.of(statuses)));
    }

    private static boolean isErrorStatus(int status) {
        return status >= 400 && status <= 599;
    }

    /** {@return the statuses of answers that are retried} */
    public Set<Integer> answers() {
        return answers;
    }

    /**
     * {@return whether a request that may have taken effect may be sent again}
     *
     * @param request a request of the flow
     */
    public boolean isIdempotent(Q request) {
        return ReadOnly.is(request) || idempotent.test(request);
    }

    /** {@return the ceiling of the wait before the second attempt} */
    public Duration firstBackoff() {
        return first;
    }

    /** {@return the maximum of the ceiling} */
    public Duration mostBackoff() {
        return most;
    }

    /** {@return the maximum number of attempts in total} */
    public int attempts() {
        return attempts == null ? DEFAULT_ATTEMPTS : attempts;
    }

    /**
     * {@return this configuration as settings}
     *
     * @param since when the settings took their values
     */
    public List<Setting> settings(Instant since) {
        return List.of(new Setting(
                "retry.attempts",
                Integer.toString(attempts()),
                "1..10",
                toString(),
                since,
                attempts == null ? Origin.DEFAULT : Origin.GIVEN));
    }

    @Override
    public String toString() {
        String repeated = answers.isEmpty() ? "" : ", answers " + new TreeSet<>(answers);
        return "%d attempts, waits up to %s doubling to %s, %s%s"
                .formatted(attempts(), Durations.format(first), Durations.format(most), what, repeated);
    }
}
