package dev.penstock.lab.simulate;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where in a request the id of its transaction stands. Safe for many threads. */
@FunctionalInterface
interface IdLocation {
    /** The id; null when there is none. */
    @Nullable
    String id(RequestHead head, byte[] body);

    /** The value of a header. */
    static IdLocation header(String name) {
        return (head, body) -> head.header(name);
    }

    /** What stands in the body between the first such mark and the next such end. */
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
