package dev.penstock.jdbc.store;

import dev.penstock.dedupe.KeyRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request to claim a key.
 *
 * @param before the owner to take the key over from; null for a plain claim
 */
record WantedKey(KeyRequest ask, @Nullable Long before) {
    String id() {
        return ask.key();
    }
}
