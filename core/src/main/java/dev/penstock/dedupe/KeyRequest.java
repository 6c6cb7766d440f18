package dev.penstock.dedupe;

import java.time.Duration;

/**
 * What is asked of a {@link IdempotencyStore}: a key for one transaction.
 *
 * @param key the key with the flow that it is of; at most {@value #LONGEST_KEY} characters, all of them printable ASCII
 * @param fingerprint tells requests apart that have the same key; at most 64 characters
 * @param owner a random number that no other transaction of this key has
 * @param lease how long the transaction may take; when it is up and no ending was told, nobody can tell what became of it
 * @param keep how long the key is kept once it has ended, or its lease is up
 */
public record KeyRequest(String key, String fingerprint, long owner, Duration lease, Duration keep) {
    /** How many characters a key has at most. */
    public static final int LONGEST_KEY = 255;

    /** Names the key, not what the request was. */
    @Override
    public String toString() {
        return "ask for " + key;
    }
}
