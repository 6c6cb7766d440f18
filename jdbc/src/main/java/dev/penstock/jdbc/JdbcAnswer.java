package dev.penstock.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a database answered: {@link Rows}, or how many rows it {@link Updated}. Immutable. */
public sealed interface JdbcAnswer {
    /** Writes it as JSON, in UTF-8: {@code {"rows":[{"id":1}]}} or {@code {"updated":1}}. */
    default byte[] toJson() {
        return AnswerJson.of(this);
    }

    /**
     * Rows, each with a value for each column.
     *
     * @param columns their names, each once: a further one of the same name has its number behind it, as in {@code id_2}
     * @param rows values in the order of the columns: a string, number, boolean, {@link JsonText}, byte array, list of
     *     such values, or null; what JSON does not know, such as a time, is a string
     */
    record Rows(List<String> columns, List<List<@Nullable Object>> rows) implements JdbcAnswer {
        /** Copies what it is given. */
        public Rows {
            columns = List.copyOf(columns);
            List<List<@Nullable Object>> copy = new ArrayList<>(rows.size());
            rows.forEach(row -> copy.add(Collections.unmodifiableList(new ArrayList<>(row))));
            rows = Collections.unmodifiableList(copy);
        }

        /**
         * The value in a row.
         *
         * @param row from 0
         * @param column by its name
         * @throws IndexOutOfBoundsException there is no such row or column
         */
        public @Nullable Object value(int row, String column) {
            return rows.get(row).get(columns.indexOf(column));
        }
    }

    /**
     * How many rows took a change.
     *
     * @param count 0 or more; of a statement that changes no rows, 0
     */
    record Updated(long count) implements JdbcAnswer {}
}
