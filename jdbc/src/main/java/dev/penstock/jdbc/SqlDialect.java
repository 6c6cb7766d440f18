package dev.penstock.jdbc;

import dev.penstock.Failed;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The differences between databases in how parameters are bound, and in what they store as given.
 *
 * @param product the kind of database
 * @param maxPacket the maximum size of a statement with its values, in bytes
 */
record SqlDialect(Product product, long maxPacket) {
    /** The kinds of databases that differ. */
    enum Product {
        /** Text is sent without a type, so that it fits a column of any type: uuid, timestamp, jsonb. */
        POSTGRESQL,
        /** MariaDB or MySQL: a longer number is rounded, and a larger statement ends the connection. */
        MARIADB,
        /** The database converts text to the type of the column. */
        OTHER
    }

    /** The digits of a number in MariaDB and MySQL; MariaDB from 10.2 stores 38 decimals, all others 30. */
    private static final int MARIADB_DIGITS = 65;

    private static final int MARIADB_DECIMALS = 30;

    /** The size of a number, time or UUID, and the length or quotes of a text, at most. */
    private static final int VALUE_BYTES = 40;

    /** The characters that MariaDB's driver writes with a backslash. */
    private static final String ESCAPED = "'\"\\\0";

    static SqlDialect of(Connection connection) throws SQLException {
        String name = String.valueOf(connection.getMetaData().getDatabaseProductName())
                .toLowerCase(Locale.ROOT);
        if (name.contains("mariadb") || name.contains("mysql")) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select @@max_allowed_packet")) {
                row.next();
                return new SqlDialect(Product.MARIADB, row.getLong(1));
            }
        }
        return new SqlDialect(name.contains("postgresql") ? Product.POSTGRESQL : Product.OTHER, Long.MAX_VALUE);
    }

    /**
     * Fails a request that the database would not store as given.
     *
     * @param size its {@link #size}
     */
    void check(NamedSql statement, JdbcRequest request, long size) throws Failed {
        if (product != Product.MARIADB) {
            return;
        }
        for (String name : statement.names()) {
            if (request.value(name) instanceof BigDecimal number) {
                int decimals = Math.max(0, number.scale());
                int digits = Math.max(0, number.precision() - number.scale()) + decimals;
                if (digits > MARIADB_DIGITS || decimals > MARIADB_DECIMALS) {
                    throw refused(
                            "parameter %s is a number with %d digits, %d of them after the decimal point; at most %d and %d are stored as given, so nothing was sent; use fewer, or a string"
                                    .formatted(name, digits, decimals, MARIADB_DIGITS, MARIADB_DECIMALS));
                }
            }
        }
        if (size > maxPacket) {
            throw refused(
                    "the statement has %d bytes with its values; max_allowed_packet of the database is %d, so nothing was sent"
                            .formatted(size, maxPacket));
        }
    }

    private static Failed refused(String why) {
        return Failed.refused(Failed.Refusal.VALUE, why, null);
    }

    /** The size of a statement with its values, in bytes: as MariaDB's driver writes it; an estimate for others. */
    long size(NamedSql statement, JdbcRequest request) {
        long size = statement.sql().length();
        for (String name : statement.names()) {
            size += switch (request.value(name)) {
                case String text -> size(text);
                case JsonText(String text) -> size(text);
                case BigDecimal number -> (long) number.precision() + Math.abs(number.scale());
                case null, default -> VALUE_BYTES;
            };
        }
        return size;
    }

    private long size(String text) {
        if (product != Product.MARIADB) {
            return (long) VALUE_BYTES + text.length();
        }
        long bytes = VALUE_BYTES;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c < 0x80) {
                bytes += ESCAPED.indexOf(c) < 0 ? 1 : 2;
            } else {
                // A surrogate is one half of four bytes.
                bytes += c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
            }
        }
        return bytes;
    }

    /** Binds the values of a request. */
    void bind(PreparedStatement statement, List<String> names, JdbcRequest request) throws SQLException {
        for (int index = 0; index < names.size(); index++) {
            bind(statement, index + 1, request.value(names.get(index)));
        }
    }

    void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(index, Types.NULL);
            case String text -> text(statement, index, text);
            case JsonText text -> text(statement, index, text.text());
            case Long number -> statement.setLong(index, number);
            case Boolean bool -> statement.setBoolean(index, bool);
            default -> statement.setObject(index, value);
        }
    }

    private void text(PreparedStatement statement, int index, String text) throws SQLException {
        if (product == Product.POSTGRESQL) {
            statement.setObject(index, text, Types.OTHER);
        } else {
            statement.setString(index, text);
        }
    }
}
