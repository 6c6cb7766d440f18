package dev.penstock.dedupe;

import java.time.Duration;

/** The state of a key in an {@link IdempotencyStore}, or the result of claiming it. */
public sealed interface Claim {
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
