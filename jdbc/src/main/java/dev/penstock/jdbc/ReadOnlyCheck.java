package dev.penstock.jdbc;

import java.util.Set;

/**
 * Decides whether a statement is certain to be read-only. A function may write, so a query counts as read-only only if
 * all functions that it calls are well-known ones that do not.
 */
final class ReadOnlyCheck {
    private static final Set<String> FIRST_WORDS = Set.of("select", "values", "table", "show");

    private static final Set<String> WRITE_WORDS = Set.of("insert", "update", "delete", "merge", "into", "for", "call");

    private static final Set<String> SAFE_BEFORE_PARENTHESIS = Set.of(
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
            "offset",
            "left",
            "right",
            "reverse",
            "ltrim",
            "rtrim",
            "lpad",
            "rpad",
            "char_length",
            "octet_length",
            "split_part",
            "concat_ws",
            "initcap",
            "regexp_replace",
            "to_char",
            "to_date",
            "to_timestamp",
            "to_number",
            "date_part",
            "date_format",
            "ceiling",
            "sign",
            "sqrt",
            "power",
            "ifnull",
            "group_concat",
            "listagg",
            "bool_and",
            "bool_or",
            "every",
            "json_extract",
            "json_value",
            "json_object",
            "json_array",
            "first_value",
            "last_value",
            "ntile");

    private ReadOnlyCheck() {}

    static boolean isReadOnly(NamedSql statement) {
        if (statement.words().isEmpty()
                || !FIRST_WORDS.contains(withoutParenthesis(statement.words().getFirst()))) {
            return false;
        }
        for (String word : statement.words()) {
            if (WRITE_WORDS.contains(withoutParenthesis(word))
                    || (word.endsWith("(") && !SAFE_BEFORE_PARENTHESIS.contains(withoutParenthesis(word)))) {
                return false;
            }
        }
        return true;
    }

    private static String withoutParenthesis(String word) {
        return word.endsWith("(") ? word.substring(0, word.length() - 1) : word;
    }
}
