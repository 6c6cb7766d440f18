package dev.penstock.jdbc;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A query for one key, rewritten for many: {@code where id = :id} becomes {@code where id = any(?)} or {@code where id
 * in (?, ?)}.
 *
 * @param before the SQL before the equals sign
 * @param after the SQL after the parameter
 * @param parameter the name of the parameter
 */
record LookupSql(String before, String after, String parameter) {
    /** Keywords that would change the result of one key when many keys are queried together. */
    private static final Set<String> UNSUPPORTED = Set.of(
            "limit",
            "fetch",
            "offset",
            "top",
            "union",
            "except",
            "intersect",
            "group",
            "having",
            "distinct",
            "or",
            "not",
            "case",
            "over",
            "window",
            "rownum",
            "with");

    /**
     * Parses a query.
     *
     * @throws IllegalArgumentException when it cannot be rewritten for many keys; the message has one line and gives
     *     the reason
     */
    static LookupSql of(NamedSql query) {
        if (query.marks().size() != 1 || query.marks().getFirst().depth() != 0) {
            throw unsupported("it must have exactly one parameter, outside of parentheses");
        }
        if (query.words().isEmpty() || !query.words().getFirst().equals("select")) {
            throw unsupported("it must begin with \"select\"");
        }
        for (String word : query.words()) {
            String bare = word.endsWith("(") ? word.substring(0, word.length() - 1) : word;
            if (UNSUPPORTED.contains(bare)) {
                throw unsupported("\"" + bare + "\" is not supported, since it would apply to all keys together");
            }
        }
        int mark = query.marks().getFirst().at();
        String before = query.sql().substring(0, mark).stripTrailing();
        boolean compares = before.endsWith("=") && !before.matches("(?s).*[<>!=:+*/%^|&~@#-]=");
        if (!compares || !before.toLowerCase(Locale.ROOT).matches("(?s).*\\bwhere\\b.*")) {
            throw unsupported("its parameter must follow \"where ... =\"");
        }
        return new LookupSql(
                before.substring(0, before.length() - 1),
                query.sql().substring(mark + 1),
                query.names().getFirst());
    }

    private static IllegalArgumentException unsupported(String why) {
        return new IllegalArgumentException(
                "a lookup must have the form \"select id, ... from ... where id = :id\": " + why);
    }

    /** The query with one parameter for an array of keys. */
    String any() {
        return before + "= any(?)" + after;
    }

    /** The query with one parameter for each key. */
    String in(int keys) {
        return before + "in (" + String.join(", ", Collections.nCopies(keys, "?")) + ")" + after;
    }

    /** Formats keys as a PostgreSQL array literal. */
    static String array(List<?> keys) {
        StringBuilder text = new StringBuilder("{");
        for (Object key : keys) {
            text.append(text.length() > 1 ? "," : "");
            text.append('"')
                    .append(key.toString().replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return text.append('}').toString();
    }
}
