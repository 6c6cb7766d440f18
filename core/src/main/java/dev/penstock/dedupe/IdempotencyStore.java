package dev.penstock.dedupe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where keys of transactions are written down, with what became of them. All who share it, other processes included, agree on
 * who may send the transaction of a key.
 *
 * <p>Each method returns when what it says would outlive the process, as far as this ledger outlives one, and throws when
 * that is not sure. The time left of the calling thread ({@link dev.penstock.Deadline#current()}) bounds it. Safe for many
 * threads.
 */
public interface IdempotencyStore extends AutoCloseable {
    /**
     * Asks for a key. It is granted when nobody has it, when it was kept as long as was asked for, and when it is the
     * asking owner's already and has not ended: so an ask of which nobody knows whether it was granted may be repeated.
     *
     * @throws Exception nobody knows whether it was granted
     */
    Claim claim(KeyRequest ask) throws Exception;

    /**
     * Asks for a key that {@linkplain Claim.Ended has ended} or {@linkplain Claim.Lapsed lapsed}, in place of its owner so
     * far. Granted when it is still that owner's and is not under way; else says as {@link #claim} how it stands.
     *
     * @param before whose it was
     * @throws Exception nobody knows whether it was granted
     */
    Claim takeOver(KeyRequest ask, long before) throws Exception;

    /**
     * Tells how a transaction ended, also when its lease is up. Changes nothing when the key is not this owner's any more.
     *
     * @param key as it was asked for
     * @param owner whose it is
     * @param ending what those get who ask for the key from now on; not to be changed
     * @param keep for how long
     * @return whether it is written down; false when the key is not this owner's any more, or is not there
     * @throws Exception nobody knows whether it is written down; may be told again
     */
    boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception;

    /**
     * Gives a key back as if it had never been asked for. Does nothing when it is not this owner's any more, or has ended.
     *
     * @param key as it was asked for
     * @param owner whose it is
     * @throws Exception nobody knows whether it is written down; may be told again
     */
    void release(String key, long owner) throws Exception;

    /**
     * How a key stands, without asking for it: {@link Claim.Running}, {@link Claim.Ended} or {@link Claim.Lapsed}. Changes
     * nothing.
     *
     * @param key as it was asked for
     * @return null when nobody has it, or it was kept as long as was asked for
     * @throws Exception it could not be looked up
     */
    @Nullable
    Claim find(String key) throws Exception;

    /**
     * Connects to what it is kept in, so that what is wrong is seen now and not at the first claim. Default: nothing to do.
     *
     * @throws Exception it cannot be used; the message says why
     */
    default void open() throws Exception {}

    /** Where it is, in one short line without secrets, for people to read. */
    String where();

    /** Closes what it holds open. What it was told is kept. Does nothing the second time. */
    @Override
    void close();
}
