package dev.penstock.jdbc;

import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of an answer, as long as they are few enough to hold.
 *
 * @param maxRows how many rows at most
 * @param maxBytes how many bytes at most, as text
 */
record RowReader(int maxRows, long maxBytes) {
    /** There was more than is held. */
    static final class TooMuch extends Exception {
        private static final long serialVersionUID = 1L;

        TooMuch(String message) {
            super(message, null, false, false);
        }
    }

    JdbcAnswer.Rows read(ResultSet results) throws SQLException, TooMuch {
        ResultSetMetaData about = results.getMetaData();
        List<String> columns = columns(about);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        long bytes = 0;
        while (results.next()) {
            if (rows.size() == maxRows) {
                throw new TooMuch("more than " + maxRows + " rows: ask for fewer, or raise maxRows");
            }
            List<@Nullable Object> row = new ArrayList<>(columns.size());
            for (int column = 1; column <= columns.size(); column++) {
                Object value = value(results, about, column);
                bytes += size(value);
                row.add(value);
            }
            if (bytes > maxBytes) {
                throw new TooMuch("more than " + maxBytes + " bytes: ask for less, or raise maxBytes");
            }
            rows.add(row);
        }
        return new JdbcAnswer.Rows(columns, rows);
    }

    private static List<String> columns(ResultSetMetaData about) throws SQLException {
        List<String> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int column = 1; column <= about.getColumnCount(); column++) {
            String label = about.getColumnLabel(column);
            String name = label;
            for (int number = 2; !seen.add(name); number++) {
                name = label + "_" + number;
            }
            columns.add(name);
        }
        return columns;
    }

    private static @Nullable Object value(ResultSet results, ResultSetMetaData about, int column) throws SQLException {
        String type = about.getColumnTypeName(column);
        if (type != null && (type.equalsIgnoreCase("json") || type.equalsIgnoreCase("jsonb"))) {
            String text = results.getString(column);
            return text == null ? null : new JsonText(text);
        }
        return switch (about.getColumnType(column)) {
            // The driver's own object of these depends on the time zone of the JVM; their text does not.
            case Types.DATE, Types.TIME, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE, Types.TIME_WITH_TIMEZONE ->
                results.getString(column);
            default -> plain(results.getObject(column));
        };
    }

    private static @Nullable Object plain(@Nullable Object value) throws SQLException {
        return switch (value) {
            case null -> null;
            case String _, Number _, Boolean _, byte[] _ -> value;
            case Array array -> list(array.getArray());
            case Clob clob -> clob.getSubString(1, Math.toIntExact(clob.length()));
            case Blob blob -> blob.getBytes(1, Math.toIntExact(blob.length()));
            case SQLXML xml -> xml.getString();
            case Timestamp time -> time.toInstant().toString();
            default -> value.toString();
        };
    }

    private static @Nullable Object list(@Nullable Object array) throws SQLException {
        if (!(array instanceof Object[] values)) {
            return array == null ? null : String.valueOf(array);
        }
        List<@Nullable Object> list = new ArrayList<>(values.length);
        for (Object value : values) {
            list.add(value instanceof Object[] ? list(value) : plain(value));
        }
        return Collections.unmodifiableList(list);
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case null -> 4;
            case String text -> text.length();
            case byte[] bytes -> bytes.length;
            case JsonText text -> text.text().length();
            default -> 8;
        };
    }
}
