package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import dev.penstock.text.Sizes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Configures deduplication: which requests have a key and are sent only once, and how long their outcomes are kept.
 * Immutable; each method returns a changed copy.
 *
 * <p>Requests without a key, and read-only requests ({@link ReadOnly}), are not affected.
 *
 * <p>Defaults: endings and answers are kept for 24 h, answers of up to 64 KB; all requests with the same key are taken to
 * be equal.
 *
 * <p>Many threads call the functions passed to this class. When one throws, the request is not sent and ends as {@link
 * dev.penstock.Failed}, cause undone.
 *
 * @param <Q> the requests that its functions accept
 */
public final class Dedupe<Q> {
    /** The default time for which endings are kept. */
    public static final Duration DEFAULT_KEEP = Duration.ofHours(24);

    /** The shortest time for which endings can be kept. */
    public static final Duration SHORTEST_KEEP = Duration.ofSeconds(1);

    /** The longest time for which endings can be kept. */
    public static final Duration LONGEST_KEEP = Duration.ofDays(366);

    /** The default maximum size of a kept answer, in bytes. */
    public static final int DEFAULT_MAX_ANSWER = 64 << 10;

    /** The largest value that {@link #maxAnswer(int)} accepts, in bytes. */
    public static final int LARGEST_MAX_ANSWER = 16 << 20;

    /**
     * Counts of requests with a key, by outcome. An immutable snapshot.
     *
     * @param first requests that were the first with their key and claimed it
     * @param duplicates requests that got their ending from the store, without being sent
     * @param waited requests that waited for the first one with their key in this process, and ended as it did
     * @param settled requests that were sent, or whose status was asked, because an earlier one with their key ended as unknown
     * @param refused requests whose key was used for a different request
     * @param unavailable requests that were rejected because the store could not be reached
     * @param unwritten endings that could not be written to the store at once
     * @param waiting requests that wait now
     */
    public record Counts(
            long first,
            long duplicates,
            long waited,
            long settled,
            long refused,
            long unavailable,
            long unwritten,
            long waiting) {
        /** {@return the counts in one sentence} */
        public String sentence() {
            return "%d first requests of a key, %d duplicates ended from the store, %d waited for the first, %d refused, %d waiting"
                    .formatted(first, duplicates, waited, refused, waiting);
        }
    }

    private final IdempotencyStore store;
    private final AnswerCodec<?> codec;
    private final String by;
    private final Function<? super Q, @Nullable String> key;
    private final Function<? super Q, byte @Nullable []> fingerprint;
    private final @Nullable Duration keep;
    private final @Nullable Integer maxAnswer;
    private final Origin storeOrigin;

    private Dedupe(
            IdempotencyStore store,
            AnswerCodec<?> codec,
            String by,
            Function<? super Q, @Nullable String> key,
            Function<? super Q, byte @Nullable []> fingerprint,
            @Nullable Duration keep,
            @Nullable Integer maxAnswer,
            Origin storeOrigin) {
        this.store = store;
        this.codec = codec;
        this.by = by;
        this.key = key;
        this.fingerprint = fingerprint;
        this.keep = keep;
        this.maxAnswer = maxAnswer;
        this.storeOrigin = storeOrigin;
    }

    /**
     * Deduplicates requests that carry a key. Only for flows whose requests are {@link Keyed}.
     *
     * @param name the kind of key to read from a request, such as {@code Idempotency-Key}
     * @param store where keys are kept. The flow does not close it
     * @param codec converts the answers of the flow to bytes and back
     * @return the configuration
     */
    public static Dedupe<Keyed> byKey(String name, IdempotencyStore store, AnswerCodec<?> codec) {
        return with(store, codec, name, request -> request.key(name));
    }

    /**
     * Deduplicates requests by a key that a function computes.
     *
     * @param <Q> the request
     * @param key returns a request's key; null when it has none
     * @param store where keys are kept. The flow does not close it
     * @param codec converts the answers of the flow to bytes and back
     * @return the configuration
     */
    public static <Q> Dedupe<Q> byKey(
            Function<? super Q, @Nullable String> key, IdempotencyStore store, AnswerCodec<?> codec) {
        return with(store, codec, "a key", key);
    }

    private static <Q> Dedupe<Q> with(
            IdempotencyStore store, AnswerCodec<?> codec, String by, Function<? super Q, @Nullable String> key) {
        return new Dedupe<>(store, codec, by, key, request -> null, null, null, Origin.GIVEN);
    }

    /**
     * Detects different requests with the same key: a request whose fingerprint differs from that of the first request with
     * its key is refused and never sent. Default: none is refused.
     *
     * @param <P> the requests that the function accepts
     * @param of returns everything that must be equal, as bytes; only a digest is kept
     * @return a changed copy
     */
    public <P extends Q> Dedupe<P> fingerprint(Function<? super P, byte[]> of) {
        return new Dedupe<>(store, codec, by, key, request -> of.apply(request), keep, maxAnswer, storeOrigin);
    }

    /**
     * Sets the description of the key that settings show. Default: the key's name, or "a key".
     *
     * @param what a few words
     * @return a changed copy
     */
    public Dedupe<Q> by(String what) {
        return new Dedupe<>(store, codec, what, key, fingerprint, keep, maxAnswer, storeOrigin);
    }

    /**
     * Sets how long an ending is kept, including its answer. After that, the same key counts as new. Default: 24 h.
     *
     * @param time 1 s to 366 days
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Dedupe<Q> keep(Duration time) {
        Duration kept = Ranges.within("dedupe.keep", time, SHORTEST_KEEP, LONGEST_KEEP);
        return new Dedupe<>(store, codec, by, key, fingerprint, kept, maxAnswer, storeOrigin);
    }

    /**
     * Sets the maximum size of a kept answer, in bytes. Of a larger answer only the fact that there was one is kept: a duplicate
     * with the same key ends as {@link dev.penstock.Unknown}, cause garbled, and is never sent. Default: 64 KB.
     *
     * @param bytes 0 to 16 MB
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Dedupe<Q> maxAnswer(int bytes) {
        int most = Ranges.within("dedupe.max_answer", bytes, 0, LARGEST_MAX_ANSWER);
        return new Dedupe<>(store, codec, by, key, fingerprint, keep, most, storeOrigin);
    }

    /**
     * Sets the origin of the store that settings show.
     *
     * @param who {@link Origin#GIVEN} (the default), or {@link Origin#DEFAULT} when the user did not choose the store
     * @return a changed copy
     */
    public Dedupe<Q> storeOrigin(Origin who) {
        return new Dedupe<>(store, codec, by, key, fingerprint, keep, maxAnswer, who);
    }

    /**
     * {@return the key of a request; null when it has none, or is read-only}
     *
     * @param request a request of the flow
     */
    public @Nullable String keyOf(Q request) {
        return ReadOnly.is(request) ? null : key.apply(request);
    }

    /**
     * {@return everything that must be equal in requests with the same key; null when that is nothing}
     *
     * @param request a request of the flow
     */
    public byte @Nullable [] fingerprintOf(Q request) {
        return fingerprint.apply(request);
    }

    /** {@return where keys are kept} */
    public IdempotencyStore store() {
        return store;
    }

    /** {@return what converts the answers of the flow to bytes and back} */
    public AnswerCodec<?> codec() {
        return codec;
    }

    /** {@return the description of the key} */
    public String by() {
        return by;
    }

    /** {@return how long endings are kept} */
    public Duration keep() {
        return keep == null ? DEFAULT_KEEP : keep;
    }

    /** {@return the maximum size of a kept answer, in bytes} */
    public int maxAnswer() {
        return maxAnswer == null ? DEFAULT_MAX_ANSWER : maxAnswer;
    }

    /** {@return the location of the store, in one short line without secrets} */
    public String where() {
        return store.where();
    }

    /**
     * {@return this configuration as settings}
     *
     * @param since when the settings took their values
     */
    public List<Setting> settings(Instant since) {
        return List.of(
                new Setting("dedupe.key", by, "a key", "one transaction per key is sent", since, Origin.GIVEN),
                new Setting("dedupe.store", where(), "a store", "where keys and endings are kept", since, storeOrigin),
                new Setting(
                        "dedupe.keep",
                        Durations.format(keep()),
                        "1 s..366 d",
                        "how long a repeated key gets the first ending; after that it counts as new",
                        since,
                        origin(keep)),
                new Setting(
                        "dedupe.max_answer",
                        Sizes.format(maxAnswer()),
                        "0..16 MB",
                        "largest answer that is kept; of larger ones only the fact that there was one",
                        since,
                        origin(maxAnswer)));
    }

    private static Origin origin(@Nullable Object given) {
        return given == null ? Origin.DEFAULT : Origin.GIVEN;
    }

    @Override
    public String toString() {
        return "by %s, kept for %s in %s".formatted(by, Durations.format(keep()), where());
    }
}
