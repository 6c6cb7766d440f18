package dev.penstock.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a statement: {@link Rows}, or the number of rows {@link Updated}. Immutable. */
public sealed interface JdbcAnswer {
    /** The answer as JSON, in UTF-8: {@code {"rows":[{"id":1}]}}, or {@code {"updated":1}}, null if not reported. */
    default byte[] toJson() {
        return AnswerJson.of(this);
    }

    /**
     * The rows of a query.
     *
     * @param columns the column labels, made unique: a repeated label gets a number, as in {@code id_2}
     * @param rows one list of values for each row, in the order of the columns. A value is a string, number, boolean,
     *     {@link JsonText}, byte array, list of such values, or null; types that JSON does not have, such as a
     *     timestamp, are strings
     */
    record Rows(List<String> columns, List<List<@Nullable Object>> rows) implements JdbcAnswer {
        /** Copies both lists. */
        public Rows {
            columns = List.copyOf(columns);
            List<List<@Nullable Object>> copy = new ArrayList<>(rows.size());
            rows.forEach(row -> copy.add(Collections.unmodifiableList(new ArrayList<>(row))));
            rows = Collections.unmodifiableList(copy);
        }

        /**
         * One value.
         *
         * @param row the index of the row, from 0
         * @param column the label of the column
         * @throws IndexOutOfBoundsException when there is no such row or column
         */
        public @Nullable Object value(int row, String column) {
            return rows.get(row).get(columns.indexOf(column));
        }
    }

    /**
     * The number of rows that a statement changed.
     *
     * @param count 0 or more, 0 for a statement that changes no rows; or {@link #NOT_REPORTED}
     */
    record Updated(long count) implements JdbcAnswer {
        /** Executed and committed, but a driver that rewrites a batch as one statement reports no count for each request. */
        public static final long NOT_REPORTED = -1;
    }
}
