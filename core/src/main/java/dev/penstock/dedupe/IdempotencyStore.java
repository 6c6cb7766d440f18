package dev.penstock.dedupe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stores the keys of transactions with their outcomes. All processes that share a store agree on which of them may send the
 * transaction of a key.
 *
 * <p>A method returns once its effect is durable, to the extent that this store survives the process, and throws when that is
 * uncertain. The deadline of the calling thread ({@link dev.penstock.Deadline#current()}) limits the time of each method.
 * Safe for many threads.
 */
public interface IdempotencyStore extends AutoCloseable {
    /**
     * Claims a key. The claim is granted when the key is new, when its retention time has passed, or when the same owner has
     * claimed it already and it has not ended. So a claim whose result is uncertain may be retried.
     *
     * @return {@link Claim.Claimed} when granted, otherwise the state of the key
     * @throws Exception it is uncertain whether the claim was granted
     */
    Claim claim(KeyRequest ask) throws Exception;

    /**
     * Claims a key that {@linkplain Claim.Ended has ended} or {@linkplain Claim.Lapsed lapsed}, in place of its previous
     * owner. The claim is granted when the key still belongs to that owner and is not in progress.
     *
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

    /** The location of this store, in one short line without secrets, for display. */
    String where();

    /** Releases resources. Recorded keys are kept. Idempotent. */
    @Override
    void close();
}
