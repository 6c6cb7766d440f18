package dev.penstock.jdbc.ledger;

import dev.penstock.dedupe.Ask;
import org.jspecify.annotations.Nullable;

/**
 * A key that somebody asks for.
 *
 * @param before whose it has to be, to be taken over; null for nobody's
 */
record Wanted(Ask ask, @Nullable Long before) {
    String id() {
        return ask.key();
    }
}
