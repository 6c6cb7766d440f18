package dev.penstock.jdbc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A single-row insert, rewritten for many rows: {@code insert into t(a, b) values (?, ?), (?, ?), ...}.
 *
 * <h2>Design note</h2>
 *
 * <p>The database parses, plans and executes one statement instead of a hundred, which is most of the cost of a batch.
 * Only for the plain form: one list of values that contains all parameters, and nothing after it. Then each value list
 * inserts one row, or the whole statement fails. If the update count is lower (a trigger skipped rows), the skipped
 * rows cannot be identified, and each row is executed separately.
 *
 * @param head the SQL before the value list
 * @param row the value list, with its parentheses
 * @param parameters the number of parameters in it
 */
record MultiRowInsert(String head, String row, int parameters) {
    /** The maximum number of parameters of a statement in PostgreSQL's protocol, as limited by older drivers. */
    private static final int MAX_PARAMETERS = 32_767;

    /** The maximum number of rows of a statement: more bring no further gain. */
    private static final int MAX_ROWS = 1_000;

    /** Parses a statement; null when it does not have this form. */
    static @Nullable MultiRowInsert of(NamedSql statement) {
        NamedSql.Brackets list = statement.lastBrackets();
        if (list == null
                || statement.marks().isEmpty()
                || !statement.words().getFirst().startsWith("insert")
                || statement.words().stream()
                                .filter(word -> word.startsWith("values"))
                                .count()
                        != 1) {
            return null;
        }
        String sql = statement.sql();
        boolean followsValues = sql.substring(0, list.from())
                .stripTrailing()
                .toLowerCase(Locale.ROOT)
                .endsWith("values");
        boolean isLast = sql.substring(list.to() + 1).isBlank();
        boolean hasAll = statement.marks().stream().allMatch(mark -> mark.at() > list.from() && mark.at() < list.to());
        return followsValues && isLast && hasAll
                ? new MultiRowInsert(
                        sql.substring(0, list.from()),
                        sql.substring(list.from(), list.to() + 1),
                        statement.marks().size())
                : null;
    }

    /** The maximum number of rows of one statement. */
    int maxRows() {
        return Math.min(MAX_ROWS, MAX_PARAMETERS / parameters);
    }

    /** The statement for a number of rows. */
    String sql(int rows) {
        StringBuilder sql = new StringBuilder(head.length() + rows * (row.length() + 1));
        sql.append(head).append(row);
        for (int i = 1; i < rows; i++) {
            sql.append(',').append(row);
        }
        return sql.toString();
    }
}
