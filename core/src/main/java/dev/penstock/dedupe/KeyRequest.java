package dev.penstock.dedupe;

import java.time.Duration;

/**
 * A request to claim a key in an {@link IdempotencyStore}.
 *
 * @param key the key with the prefix of its flow; at most {@value #LONGEST_KEY} characters of printable ASCII
 * @param fingerprint distinguishes different requests with the same key; at most 64 characters
 * @param owner a random number that identifies the transaction among those with this key
 * @param lease how long the transaction may take; if it passes without a recorded ending, the outcome is unknown
 * @param keep how long the key is kept once it has ended, or its lease has passed
 */
public record KeyRequest(String key, String fingerprint, long owner, Duration lease, Duration keep) {
    /** The maximum length of a key, in characters. */
    public static final int LONGEST_KEY = 255;

    /** Contains the key, but nothing else of the request. */
    @Override
    public String toString() {
        return "claim of " + key;
    }
}
