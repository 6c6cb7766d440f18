package dev.penstock.dedupe;

import java.time.Duration;

/** What a {@link IdempotencyStore} says of a key. */
public sealed interface Claim {
    /** The key belongs to who asked, and nobody else gets it: the transaction may be sent. */
    record Claimed() implements Claim {}

    /**
     * Another transaction of this key is under way.
     *
     * @param fingerprint that of its request
     * @param left how long its lease still is; not negative
     */
    record Running(String fingerprint, Duration left) implements Claim {}

    /**
     * A transaction of this key has ended.
     *
     * @param fingerprint that of its request
     * @param owner whose it was
     * @param ending what {@link IdempotencyStore#end} was told
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Ended(String fingerprint, long owner, byte[] ending) implements Claim {}

    /**
     * The lease of a transaction of this key is up, and nobody told how it ended: its process may have died.
     *
     * @param fingerprint that of its request
     * @param owner whose it was
     */
    record Lapsed(String fingerprint, long owner) implements Claim {}
}
