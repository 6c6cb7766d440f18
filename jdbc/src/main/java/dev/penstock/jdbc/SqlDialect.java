package dev.penstock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What databases want told differently. */
enum SqlDialect {
    /** Text goes without a type, so that it fits a column of any: a uuid, a time, jsonb. */
    POSTGRESQL,
    /** Takes text for what the column is. */
    OTHER;

    static SqlDialect of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName();
        return name != null && name.toLowerCase(Locale.ROOT).contains("postgresql") ? POSTGRESQL : OTHER;
    }

    /** Puts the values of a request in place of the question marks. */
    void bind(PreparedStatement statement, List<String> names, JdbcRequest request) throws SQLException {
        bind(statement, 0, names, request);
    }

    /** Puts the values of a request in place of the question marks behind the first so many. */
    void bind(PreparedStatement statement, int before, List<String> names, JdbcRequest request) throws SQLException {
        for (int place = 0; place < names.size(); place++) {
            bind(statement, before + place + 1, request.value(names.get(place)));
        }
    }

    void bind(PreparedStatement statement, int place, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(place, Types.NULL);
            case String text -> text(statement, place, text);
            case JsonText text -> text(statement, place, text.text());
            case Long number -> statement.setLong(place, number);
            case Boolean yes -> statement.setBoolean(place, yes);
            default -> statement.setObject(place, value);
        }
    }

    private void text(PreparedStatement statement, int place, String text) throws SQLException {
        if (this == POSTGRESQL) {
            statement.setObject(place, text, Types.OTHER);
        } else {
            statement.setString(place, text);
        }
    }
}
