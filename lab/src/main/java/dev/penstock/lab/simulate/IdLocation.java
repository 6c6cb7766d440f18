package dev.penstock.lab.simulate;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Finds a transaction's id in its request. Thread-safe. */
@FunctionalInterface
interface IdLocation {
    /** The id; null when absent. */
    @Nullable
    String id(RequestHead head, byte[] body);

    /** The value of a header. */
    static IdLocation header(String name) {
        return (head, body) -> head.header(name);
    }

    /** The text in the body between the first occurrence of {@code mark} and the next {@code end}. */
    static IdLocation body(String mark, String end) {
        return (head, body) -> {
            String text = new String(body, StandardCharsets.ISO_8859_1);
            int found = text.indexOf(mark);
            int from = found + mark.length();
            int to = found < 0 ? -1 : text.indexOf(end, from);
            return to < 0 ? null : text.substring(from, to);
        };
    }
}
