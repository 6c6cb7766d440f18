package dev.penstock.jdbc;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A query for one key, made into one for many: {@code where id = :id} becomes {@code where id = any(?)}, or {@code where id
 * in (?, ?)}.
 *
 * @param before what stands before the equals sign
 * @param after what stands behind the parameter
 * @param parameter its name
 */
record LookupSql(String before, String after, String parameter) {
    /** Words that give an answer to one key another meaning when many are asked for at once. */
    private static final Set<String> SPEAK_OF_ALL = Set.of(
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
     * Reads a query.
     *
     * @throws IllegalArgumentException when it cannot be asked for many keys at once; one line that says why
     */
    static LookupSql of(NamedSql query) {
        if (query.marks().size() != 1 || query.marks().getFirst().depth() != 0) {
            throw no("it needs one parameter, outside of brackets");
        }
        if (query.words().isEmpty() || !query.words().getFirst().equals("select")) {
            throw no("it has to begin with select");
        }
        for (String word : query.words()) {
            String bare = word.endsWith("(") ? word.substring(0, word.length() - 1) : word;
            if (SPEAK_OF_ALL.contains(bare)) {
                throw no("\"" + bare + "\" would speak of all keys together");
            }
        }
        int mark = query.marks().getFirst().at();
        String before = query.sql().substring(0, mark).stripTrailing();
        boolean compares = before.endsWith("=") && !before.matches("(?s).*[<>!=:+*/%^|&~@#-]=");
        if (!compares || !before.toLowerCase(Locale.ROOT).matches("(?s).*\\bwhere\\b.*")) {
            throw no("its parameter has to stand behind \"where ... =\"");
        }
        return new LookupSql(
                before.substring(0, before.length() - 1),
                query.sql().substring(mark + 1),
                query.names().getFirst());
    }

    private static IllegalArgumentException no(String why) {
        return new IllegalArgumentException(
                "a lookup is written as \"select id, ... from ... where id = :id\": " + why);
    }

    /** For an array of keys. */
    String any() {
        return before + "= any(?)" + after;
    }

    /** For so many keys, one by one. */
    String in(int keys) {
        return before + "in (" + String.join(", ", Collections.nCopies(keys, "?")) + ")" + after;
    }

    /** Keys as PostgreSQL writes an array of any kind. */
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
