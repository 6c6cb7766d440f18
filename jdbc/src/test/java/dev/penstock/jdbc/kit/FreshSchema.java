package dev.penstock.jdbc.kit;

import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** A schema for one test. Its URLs make it the current schema, so statements need no prefix. */
public final class FreshSchema implements AutoCloseable {
    private final RealPostgres postgres;
    private final String name = "t_" + UUID.randomUUID().toString().replace("-", "");

    FreshSchema(RealPostgres postgres) throws SQLException {
        this.postgres = postgres;
        try (Connection connection = postgres.connect()) {
            execute(connection, "CREATE SCHEMA " + name);
        }
    }

    public String name() {
        return name;
    }

    public String url() {
        return here(postgres.url());
    }

    /** The URL through a proxy. */
    public String urlThrough(InetSocketAddress proxy) {
        return here(postgres.urlThrough(proxy));
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** Runs one statement on a new connection. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect()) {
            execute(connection, sql);
        }
    }

    /** The first column of the first row, as a number. */
    public long number(String sql) throws SQLException {
        try (Connection connection = connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Drops the schema. When the server is not running, the schema was deleted with it. */
    @Override
    public void close() throws SQLException {
        try (Connection connection = postgres.connect()) {
            execute(connection, "DROP SCHEMA IF EXISTS " + name + " CASCADE");
        } catch (SQLException e) {
            if (!"08001".equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    private String here(String url) {
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
