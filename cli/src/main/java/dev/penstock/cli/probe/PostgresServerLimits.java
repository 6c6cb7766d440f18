package dev.penstock.cli.probe;

import dev.penstock.lab.probe.AnnouncedLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Limits that a PostgreSQL server reports. */
final class PostgresServerLimits {
    /** Settings, and what each means. */
    private static final String MEANINGS = """
            max_connections: the maximum for all clients together
            superuser_reserved_connections: connections reserved for administrators
            reserved_connections: connections reserved for the role pg_use_reserved_connections
            idle_session_timeout: the server ends a session idle for longer
            idle_in_transaction_session_timeout: the server ends a session with an idle open transaction after this time
            statement_timeout: the server cancels a statement that takes longer
            tcp_keepalives_idle: TCP keep-alive of the server starts after this idle time
            """;

    private static final String USER_LIMIT = "select rolconnlimit, (select count(*) from pg_stat_activity"
            + " where usename = current_user and client_port is not null) from pg_roles where rolname = current_user";

    private static final String DATABASE_LIMIT = "select datconnlimit, (select count(*) from pg_stat_activity where"
            + " datname = current_database() and client_port is not null) from pg_database"
            + " where datname = current_database()";

    private PostgresServerLimits() {}

    /**
     * Queries the limits.
     *
     * @param connection a PostgreSQL connection; stays open
     */
    static List<AnnouncedLimit> of(Connection connection) throws SQLException {
        List<AnnouncedLimit> all = new ArrayList<>();
        all.add(new AnnouncedLimit(
                "version", connection.getMetaData().getDatabaseProductVersion(), "the server that answers"));
        try (Statement statement = connection.createStatement()) {
            for (String line : MEANINGS.lines().toList()) {
                String[] setting = line.split(": ", 2);
                // The second argument: an unknown setting of an older server is null, not an error.
                try (ResultSet row = statement.executeQuery("select current_setting('" + setting[0] + "', true)")) {
                    if (row.next() && row.getString(1) != null) {
                        boolean isOff = row.getString(1).equals("0") && setting[0].endsWith("timeout");
                        all.add(new AnnouncedLimit(setting[0], row.getString(1), isOff ? "disabled" : setting[1]));
                    }
                }
            }
            try (ResultSet row =
                    statement.executeQuery("select count(*) from pg_stat_activity where client_port is not null")) {
                row.next();
                all.add(new AnnouncedLimit(
                        "connections in use", row.getString(1), "currently, by all clients, including this probe"));
            }
            own(all, statement, "user", USER_LIMIT);
            own(all, statement, "database", DATABASE_LIMIT);
        }
        return all;
    }

    /** The limit of this user or database, if it has one: without one the server says -1. */
    private static void own(List<AnnouncedLimit> all, Statement statement, String whose, String query)
            throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            if (row.next() && row.getInt(1) >= 0) {
                all.add(new AnnouncedLimit(
                        "connection limit of the " + whose, row.getString(1), "the maximum for all of its clients"));
                all.add(new AnnouncedLimit(
                        "connections of the " + whose + " in use",
                        row.getString(2),
                        "currently, including this probe"));
            }
        }
    }
}
