package dev.penstock.jdbc;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An insert of one row, written as an insert of many: {@code insert into t(a, b) values (?, ?), (?, ?), ...}.
 *
 * <h2>Design note</h2>
 *
 * <p>A database parses, plans and runs one statement instead of a hundred, which is most of what a batch costs it. Only for
 * the plain shape: one list of values, with all parameters in it, and nothing behind. Then each row is one row, or the
 * statement fails as a whole; if the count says otherwise (a trigger left some out), nobody can tell whose, and each is
 * asked by itself.
 *
 * @param head what stands before the list, up to its bracket
 * @param row the list, with its brackets
 * @param parameters how many each has
 */
record MultiRowInsert(String head, String row, int parameters) {
    /** How many parameters a statement has at most, in the protocol of PostgreSQL before version 14's drivers. */
    private static final int MOST_PARAMETERS = 32_767;

    /** How many rows at most: beyond that nothing is gained. */
    private static final int MOST_ROWS = 1_000;

    /** A statement of that shape; null for any other. */
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

    /** How many rows one statement takes. */
    int most() {
        return Math.min(MOST_ROWS, MOST_PARAMETERS / parameters);
    }

    /** The statement for so many rows. */
    String sql(int rows) {
        StringBuilder sql = new StringBuilder(head.length() + rows * (row.length() + 1));
        sql.append(head).append(row);
        for (int i = 1; i < rows; i++) {
            sql.append(',').append(row);
        }
        return sql.toString();
    }
}
