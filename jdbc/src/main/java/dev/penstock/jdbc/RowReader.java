package dev.penstock.jdbc;

import java.math.BigDecimal;
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
 * Reads the rows of a result into memory, within limits.
 *
 * @param maxRows the maximum number of rows
 * @param maxBytes the maximum size of all values as text, in bytes
 */
record RowReader(int maxRows, long maxBytes) {
    /** The result exceeds a limit. */
    static final class ResultTooLarge extends Exception {
        private static final long serialVersionUID = 1L;

        ResultTooLarge(String message) {
            super(message, null, false, false);
        }
    }

    JdbcAnswer.Rows read(ResultSet results) throws SQLException, ResultTooLarge {
        ResultSetMetaData metadata = results.getMetaData();
        List<String> columns = columns(metadata);
        List<List<@Nullable Object>> rows = new ArrayList<>();
        long bytes = 0;
        while (results.next()) {
            if (rows.size() == maxRows) {
                throw new ResultTooLarge("more than " + maxRows + " rows; add a limit to the query, or raise maxRows");
            }
            List<@Nullable Object> row = new ArrayList<>(columns.size());
            for (int column = 1; column <= columns.size(); column++) {
                Object value = value(results, metadata, column);
                bytes += size(value);
                row.add(value);
            }
            if (bytes > maxBytes) {
                throw new ResultTooLarge("more than " + maxBytes + " bytes; select less, or raise maxBytes");
            }
            rows.add(row);
        }
        return new JdbcAnswer.Rows(columns, rows);
    }

    private static List<String> columns(ResultSetMetaData metadata) throws SQLException {
        List<String> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int column = 1; column <= metadata.getColumnCount(); column++) {
            String label = metadata.getColumnLabel(column);
            String name = label;
            for (int number = 2; !seen.add(name); number++) {
                name = label + "_" + number;
            }
            columns.add(name);
        }
        return columns;
    }

    private static @Nullable Object value(ResultSet results, ResultSetMetaData metadata, int column)
            throws SQLException {
        String type = metadata.getColumnTypeName(column);
        if (type != null && (type.equalsIgnoreCase("json") || type.equalsIgnoreCase("jsonb"))) {
            String text = results.getString(column);
            return text == null ? null : new JsonText(text);
        }
        return switch (metadata.getColumnType(column)) {
            // The driver's objects for these types depend on the time zone of the JVM; their text does not.
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
            case BigDecimal number -> number.unscaledValue().bitLength() / 3 + 8;
            default -> 8;
        };
    }
}
