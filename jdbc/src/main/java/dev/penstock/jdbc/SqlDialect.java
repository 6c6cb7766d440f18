package dev.penstock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The differences between databases in how parameters are bound. */
enum SqlDialect {
    /** Text is sent without a type, so that it fits a column of any type: uuid, timestamp, jsonb. */
    POSTGRESQL,
    /** The database converts text to the type of the column. */
    OTHER;

    static SqlDialect of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName();
        return name != null && name.toLowerCase(Locale.ROOT).contains("postgresql") ? POSTGRESQL : OTHER;
    }

    /** Binds the values of a request. */
    void bind(PreparedStatement statement, List<String> names, JdbcRequest request) throws SQLException {
        bind(statement, 0, names, request);
    }

    /**
     * Binds the values of a request.
     *
     * @param before the number of parameters before the first one
     */
    void bind(PreparedStatement statement, int before, List<String> names, JdbcRequest request) throws SQLException {
        for (int index = 0; index < names.size(); index++) {
            bind(statement, before + index + 1, request.value(names.get(index)));
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
        if (this == POSTGRESQL) {
            statement.setObject(index, text, Types.OTHER);
        } else {
            statement.setString(index, text);
        }
    }
}
