package dev.penstock.races.jdbcidle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * One transaction: get a connection, execute one short statement, return it. Every second one reads, the others write.
 * Thread-safe.
 *
 * @param source provides connections
 * @param table with its schema, {@code entry}
 */
record PoolTransaction(DataSource source, String table) {
    void run(long number) throws SQLException {
        try (Connection connection = source.getConnection()) {
            if (number % 2 == 0) {
                read(connection, number);
            } else {
                write(connection, number);
            }
        }
    }

    private void read(Connection connection, long number) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT count(*) FROM " + table + " WHERE id = ?")) {
            statement.setLong(1, number);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
            }
        }
    }

    private void write(Connection connection, long number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO " + table + " (id) VALUES (?)")) {
            statement.setLong(1, number);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("inserted no row");
            }
        }
    }
}
