package dev.penstock.jdbc;

import java.util.Set;

/**
 * Whether a statement is known only to read. Only where that is certain: any function may write, so a query that calls one
 * is known to read only when the function is one that every database has.
 */
final class ReadOnlyCheck {
    private static final Set<String> BEGINS = Set.of("select", "values", "table", "show");

    private static final Set<String> WRITES = Set.of("insert", "update", "delete", "merge", "into", "for", "call");

    private static final Set<String> HARMLESS = Set.of(
            "select",
            "values",
            "from",
            "where",
            "and",
            "or",
            "not",
            "in",
            "exists",
            "any",
            "all",
            "some",
            "as",
            "on",
            "join",
            "by",
            "when",
            "then",
            "else",
            "case",
            "having",
            "union",
            "except",
            "intersect",
            "distinct",
            "over",
            "partition",
            "filter",
            "with",
            "within",
            "lateral",
            "array",
            "row",
            "cast",
            "coalesce",
            "nullif",
            "greatest",
            "least",
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "abs",
            "round",
            "floor",
            "ceil",
            "mod",
            "lower",
            "upper",
            "length",
            "trim",
            "substring",
            "position",
            "replace",
            "concat",
            "extract",
            "date_trunc",
            "now",
            "unnest",
            "array_agg",
            "string_agg",
            "json_agg",
            "jsonb_agg",
            "json_build_object",
            "jsonb_build_object",
            "row_number",
            "rank",
            "dense_rank",
            "lag",
            "lead",
            "varchar",
            "char",
            "decimal",
            "numeric",
            "timestamp",
            "limit",
            "offset");

    private ReadOnlyCheck() {}

    static boolean only(NamedSql statement) {
        if (statement.words().isEmpty()
                || !BEGINS.contains(bare(statement.words().getFirst()))) {
            return false;
        }
        for (String word : statement.words()) {
            if (WRITES.contains(bare(word)) || (word.endsWith("(") && !HARMLESS.contains(bare(word)))) {
                return false;
            }
        }
        return true;
    }

    private static String bare(String word) {
        return word.endsWith("(") ? word.substring(0, word.length() - 1) : word;
    }
}
