package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.races.sql.CountedDriver;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The peers' database access, carefully written. */
final class Sql {
    static final int POOL = 20;

    /** As long as a typical payment text. */
    static final String PAYLOAD = "x".repeat(100);

    private static final String INSERT = "INSERT INTO entry (id, payload) VALUES (?, ?)";

    private Sql() {}

    /** Hikari's defaults with 20 connections; batches are rewritten as one multi-row statement. */
    static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName(CountedDriver.class.getName());
        config.setJdbcUrl(CountedDriver.url(url));
        config.setMaximumPoolSize(POOL);
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        return new HikariDataSource(config);
    }

    static void insert(Connection connection, long id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setLong(1, id);
            statement.setString(2, PAYLOAD);
            statement.executeUpdate();
        }
    }

    /** Inserts all rows in one batch and one commit; none when it throws, unless the ending is unknown. */
    static void insertAll(HikariDataSource pool, List<Long> ids) throws Unanswered {
        boolean committing = false;
        try (Connection connection = connection(pool)) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
                for (long id : ids) {
                    statement.setLong(1, id);
                    statement.setString(2, PAYLOAD);
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            committing = true;
            connection.commit();
        } catch (SQLException e) {
            throw committing ? ending(e) : new Failed(Failed.Cause.UNDONE, String.valueOf(e.getMessage()), e);
        }
    }

    static Connection connection(HikariDataSource pool) throws Failed {
        try {
            return pool.getConnection();
        } catch (SQLException e) {
            throw new Failed(Failed.Cause.CONNECT, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The ending after a failed commit: failed when the database reported the error, unknown when the connection
     * was lost.
     */
    static Unanswered ending(SQLException e) {
        String state = e.getSQLState();
        boolean lost = state == null || state.startsWith("08") || state.startsWith("57P");
        return lost
                ? new Unknown(Unknown.Cause.CLOSED, String.valueOf(e.getMessage()), e)
                : new Failed(Failed.Cause.REFUSED, String.valueOf(e.getMessage()), e);
    }
}
