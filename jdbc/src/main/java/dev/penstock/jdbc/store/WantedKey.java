package dev.penstock.jdbc.store;

import dev.penstock.dedupe.KeyRequest;
import org.jspecify.annotations.Nullable;

/**
 * A key that somebody asks for.
 *
 * @param before whose it has to be, to be taken over; null for nobody's
 */
record WantedKey(KeyRequest ask, @Nullable Long before) {
    String id() {
        return ask.key();
    }
}
