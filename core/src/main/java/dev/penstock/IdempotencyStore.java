package dev.penstock;

import dev.penstock.text.Sha256;
import java.time.Duration;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Stores the keys of transactions with their outcomes. All processes that share a store agree on which of them may send the
 * transaction of a key.
 *
 * <p>A method returns once its effect is durable, to the extent that this store survives the process, and throws when that is
 * uncertain. The deadline of the calling thread ({@link Deadline#current()}) limits the time of each method.
 * Safe for many threads.
 */
public interface IdempotencyStore extends AutoCloseable {
    /**
     * A request to claim a key in a store.
     *
     * @param key the key with the prefix of its flow; at most {@value #LONGEST_KEY} characters of printable ASCII
     * @param fingerprint distinguishes different requests with the same key; at most 64 characters
     * @param owner a random number that identifies the transaction among those with this key
     * @param lease how long the transaction may take; if it passes without a recorded ending, the outcome is unknown
     * @param keep how long the key is kept once it has ended, or its lease has passed
     */
    record KeyRequest(String key, String fingerprint, long owner, Duration lease, Duration keep) {
        /** The maximum length of a key, in characters. */
        public static final int LONGEST_KEY = 255;

        private static final String HASHED = "sha256:";

        /**
         * {@return a key as stores have it: with the prefix of its flow, and as a hash if it is too long or not printable}
         *
         * @param flow the name of the flow
         * @param key the key of a request
         */
        public static String named(String flow, String key) {
            String name = flow + "/" + key;
            boolean plain = name.length() <= LONGEST_KEY
                    && !key.startsWith(HASHED)
                    && key.chars().allMatch(c -> c > ' ' && c <= '~');
            return plain ? name : flow + "/" + HASHED + HexFormat.of().formatHex(Sha256.of(key));
        }

        /** Contains the key, but nothing else of the request. */
        @Override
        public String toString() {
            return "claim of " + key;
        }
    }

    /** The state of a key in a store, or the result of claiming it. */
    sealed interface Claim {
        /** The claim was granted, and no one else can claim the key: the transaction may be sent. */
        record Claimed() implements Claim {}

        /**
         * Another transaction of this key is in progress.
         *
         * @param fingerprint the fingerprint of its request
         * @param left the time left of its lease; not negative
         */
        record Running(String fingerprint, Duration left) implements Claim {}

        /**
         * A transaction of this key has ended.
         *
         * @param fingerprint the fingerprint of its request
         * @param owner its owner
         * @param ending the ending passed to {@link IdempotencyStore#end}
         */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Ended(String fingerprint, long owner, byte[] ending) implements Claim {}

        /**
         * The lease of a transaction of this key has ended, and no outcome was recorded: its process may have died.
         *
         * @param fingerprint the fingerprint of its request
         * @param owner its owner
         */
        record Lapsed(String fingerprint, long owner) implements Claim {}
    }

    /**
     * {@return a store in the memory of this process, for tests and for deduplication that need not survive a restart} When it
     * is full of keys whose retention time has not passed, {@link #claim} throws, so no transaction is sent unprotected.
     *
     * @param maxKeys the maximum number of keys; 1 or more
     * @throws IllegalArgumentException when out of range
     */
    static IdempotencyStore inMemory(int maxKeys) {
        return inMemory(maxKeys, Ticker.SYSTEM);
    }

    /**
     * Like {@link #inMemory(int)}, with a clock for tests.
     *
     * @param maxKeys the maximum number of keys; 1 or more
     * @param ticker the clock for leases and retention
     * @return an empty store
     * @throws IllegalArgumentException when out of range
     */
    static IdempotencyStore inMemory(int maxKeys, Ticker ticker) {
        return new InMemoryIdempotencyStore(maxKeys, ticker);
    }

    /**
     * Claims a key. The claim is granted when the key is new, when its retention time has passed, or when the same owner has
     * claimed it already and it has not ended. So a claim whose result is uncertain may be retried.
     *
     * @param ask the key and its owner
     * @return {@link Claim.Claimed} when granted, otherwise the state of the key
     * @throws Exception it is uncertain whether the claim was granted
     */
    Claim claim(KeyRequest ask) throws Exception;

    /**
     * Claims a key that {@linkplain Claim.Ended has ended} or {@linkplain Claim.Lapsed lapsed}, in place of its previous
     * owner. The claim is granted when the key still belongs to that owner and is not in progress.
     *
     * @param ask the key and its owner
     * @param before the previous owner
     * @return {@link Claim.Claimed} when granted, otherwise the result of {@link #claim}
     * @throws Exception it is uncertain whether the claim was granted
     */
    Claim takeOver(KeyRequest ask, long before) throws Exception;

    /**
     * Records how a transaction ended, even if its lease has ended. Changes nothing when the key has another owner.
     *
     * @param key the key as it was claimed
     * @param owner its owner
     * @param ending the ending that later claims of the key return; must not be modified
     * @param keep how long to keep it
     * @return whether it was recorded; false when the key has another owner, or does not exist
     * @throws Exception it is uncertain whether the ending was recorded; the call may be retried
     */
    boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception;

    /**
     * Releases a key as if it had never been claimed. Does nothing when it has another owner, or has ended.
     *
     * @param key the key as it was claimed
     * @param owner its owner
     * @throws Exception it is uncertain whether the key was released; the call may be retried
     */
    void release(String key, long owner) throws Exception;

    /**
     * Returns the state of a key without claiming it. Changes nothing.
     *
     * @param key the key as it would be claimed
     * @return {@link Claim.Running}, {@link Claim.Ended} or {@link Claim.Lapsed}; null when the key is new, or its retention
     *     time has passed
     * @throws Exception the lookup failed
     */
    @Nullable
    Claim find(String key) throws Exception;

    /**
     * Connects to the underlying storage, so that a problem shows now and not at the first claim. Default: does nothing.
     *
     * @throws Exception the store cannot be used; the message states why
     */
    default void open() throws Exception {}

    /**
     * {@return why this store cannot record anything at the moment, in one line; null when it can, or does not know} Does not
     * block. Default: null.
     */
    default @Nullable String outage() {
        return null;
    }

    /** {@return the location of this store, in one short line without secrets, for display} */
    String where();

    /** Releases resources. Recorded keys are kept. Idempotent. */
    @Override
    void close();
}
