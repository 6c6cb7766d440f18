package dev.penstock.dedupe;

import dev.penstock.Durations;
import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Sizes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which requests are carried once, by what key, and what is kept of them. Immutable; each method gives a changed copy.
 *
 * <p>Requests without a key, and those that only read ({@link ReadOnly}), pass as if this were not there.
 *
 * <p>Defaults: endings and answers are kept for 24 h, answers of up to 64 KB; every request of a key is taken for the same.
 *
 * <p>The functions that it is given are called by many threads. When one throws, nothing is sent, and that request is {@link
 * dev.penstock.Failed}, cause undone.
 */
public final class Dedupe {
    /** For how long endings are kept, by default. */
    public static final Duration DEFAULT_KEEP = Duration.ofHours(24);

    /** The shortest time for which endings can be kept. */
    public static final Duration SHORTEST_KEEP = Duration.ofSeconds(1);

    /** The longest time for which endings can be kept. */
    public static final Duration LONGEST_KEEP = Duration.ofDays(366);

    /** How many bytes an answer has at most that is kept, by default. */
    public static final int DEFAULT_MAX_ANSWER = 64 << 10;

    /** How many bytes an answer that is kept can be allowed at most. */
    public static final int MOST_MAX_ANSWER = 16 << 20;

    private static final String NONE = "";

    private final IdempotencyStore ledger;
    private final AnswerCodec<?> codec;
    private final String by;
    private final Function<Object, @Nullable String> key;
    private final Function<Object, String> fingerprint;
    private final @Nullable Duration keep;
    private final @Nullable Integer maxAnswer;
    private final Origin storeOrigin;

    private Dedupe(
            IdempotencyStore ledger,
            AnswerCodec<?> codec,
            String by,
            Function<Object, @Nullable String> key,
            Function<Object, String> fingerprint,
            @Nullable Duration keep,
            @Nullable Integer maxAnswer,
            Origin storeOrigin) {
        this.ledger = ledger;
        this.codec = codec;
        this.by = by;
        this.key = key;
        this.fingerprint = fingerprint;
        this.keep = keep;
        this.maxAnswer = maxAnswer;
        this.storeOrigin = storeOrigin;
    }

    /**
     * By a key that requests name themselves.
     *
     * @param name the kind of key that a {@link Keyed} request is asked for, such as {@code Idempotency-Key}; others have none
     * @param ledger where keys are kept. The flow does not close it
     * @param codec how the answers of the flow are kept
     */
    public static Dedupe byKey(String name, IdempotencyStore ledger, AnswerCodec<?> codec) {
        return with(ledger, codec, name, request -> request instanceof Keyed keyed ? keyed.key(name) : null);
    }

    /**
     * By a key that a function finds.
     *
     * @param kind the kind of request that the function knows; others have no key
     * @param key finds a request's key; null when it has none
     * @param ledger where keys are kept. The flow does not close it
     * @param codec how the answers of the flow are kept
     */
    public static <Q> Dedupe byKey(
            Class<Q> kind, Function<? super Q, @Nullable String> key, IdempotencyStore ledger, AnswerCodec<?> codec) {
        return with(ledger, codec, "a key", request -> kind.isInstance(request) ? key.apply(kind.cast(request)) : null);
    }

    private static Dedupe with(
            IdempotencyStore ledger, AnswerCodec<?> codec, String by, Function<Object, @Nullable String> key) {
        return new Dedupe(ledger, codec, by, key, request -> NONE, null, null, Origin.FILE);
    }

    /**
     * Tells requests apart that have the same key: one with another fingerprint than the first of its key is refused, and
     * never sent. Default: none is refused.
     *
     * @param kind the kind of request that the function knows
     * @param of all that has to be the same, as bytes; only a digest of them is kept
     */
    public <Q> Dedupe fingerprint(Class<Q> kind, Function<? super Q, byte[]> of) {
        return new Dedupe(
                ledger,
                codec,
                by,
                key,
                request -> kind.isInstance(request) ? digest(of.apply(kind.cast(request))) : NONE,
                keep,
                maxAnswer,
                storeOrigin);
    }

    /**
     * What the key is, as settings shall say. Default: its name, or a key.
     *
     * @param what a few words
     */
    public Dedupe by(String what) {
        return new Dedupe(ledger, codec, what, key, fingerprint, keep, maxAnswer, storeOrigin);
    }

    /**
     * For how long an ending is kept, and with it the answer. The same key is a new one after that.
     *
     * @param time 1 s to 366 days
     * @throws IllegalArgumentException when out of range
     */
    public Dedupe keep(Duration time) {
        if (time.compareTo(SHORTEST_KEEP) < 0 || time.compareTo(LONGEST_KEEP) > 0) {
            throw new IllegalArgumentException("dedupe.keep is 1 s to 366 d, not " + Durations.words(time));
        }
        return new Dedupe(ledger, codec, by, key, fingerprint, time, maxAnswer, storeOrigin);
    }

    /**
     * How many bytes an answer has at most that is kept. Of a larger one it is kept only that there was one: the same key
     * again is {@link dev.penstock.Unknown}, cause garbled, and never sent.
     *
     * @param bytes 0 to 16 MB
     * @throws IllegalArgumentException when out of range
     */
    public Dedupe maxAnswer(int bytes) {
        if (bytes < 0 || bytes > MOST_MAX_ANSWER) {
            throw new IllegalArgumentException("dedupe.max_answer is 0 to 16 MB, not " + bytes + " bytes");
        }
        return new Dedupe(ledger, codec, by, key, fingerprint, keep, bytes, storeOrigin);
    }

    /**
     * Who chose where keys are kept, as settings shall say.
     *
     * @param who {@link Origin#FILE} (the default), or {@link Origin#DEFAULT} where the user was not asked
     */
    public Dedupe storeOrigin(Origin who) {
        return new Dedupe(ledger, codec, by, key, fingerprint, keep, maxAnswer, who);
    }

    /** The key of a request as it was given; null when it has none, or only reads. */
    @Nullable
    String keyOf(Object request) {
        return ReadOnly.is(request) ? null : key.apply(request);
    }

    String fingerprintOf(Object request) {
        return fingerprint.apply(request);
    }

    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    IdempotencyStore ledger() {
        return ledger;
    }

    AnswerCodec<?> codec() {
        return codec;
    }

    /** What the key is. */
    public String by() {
        return by;
    }

    /** For how long endings are kept. */
    public Duration keep() {
        return keep == null ? DEFAULT_KEEP : keep;
    }

    /** How many bytes an answer has at most that is kept. */
    public int maxAnswer() {
        return maxAnswer == null ? DEFAULT_MAX_ANSWER : maxAnswer;
    }

    /** Where keys are kept, in one short line without secrets. */
    public String where() {
        return ledger.where();
    }

    /**
     * All of this as settings.
     *
     * @param since when they took their values
     */
    public List<Setting> settings(Instant since) {
        return List.of(
                new Setting("dedupe.key", by, "a key", "one transaction for each is sent", since, Origin.FILE),
                new Setting("dedupe.store", where(), "a ledger", "where keys and endings are kept", since, storeOrigin),
                new Setting(
                        "dedupe.keep",
                        Durations.words(keep()),
                        "1 s..366 d",
                        "the same key again gets the first ending for so long, and is new after that",
                        since,
                        origin(keep)),
                new Setting(
                        "dedupe.max_answer",
                        Sizes.words(maxAnswer()),
                        "0..16 MB",
                        "bytes of an answer that are kept; of a larger one only that there was one",
                        since,
                        origin(maxAnswer)));
    }

    private static Origin origin(@Nullable Object given) {
        return given == null ? Origin.DEFAULT : Origin.FILE;
    }

    @Override
    public String toString() {
        return "by %s, kept for %s in %s".formatted(by, Durations.words(keep()), where());
    }
}
