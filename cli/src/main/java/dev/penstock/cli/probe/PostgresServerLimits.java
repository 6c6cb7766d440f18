package dev.penstock.cli.probe;

import dev.penstock.lab.probe.AnnouncedLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a PostgreSQL tells of its own limits. */
final class PostgresServerLimits {
    /** By name: what follows from it; %s stands for the value. */
    private static final Map<String, String> MEANINGS = new LinkedHashMap<>();

    static {
        MEANINGS.put("max_connections", "all clients together have no more connections than that");
        MEANINGS.put("superuser_reserved_connections", "of these are kept for administrators");
        MEANINGS.put("idle_session_timeout", "it ends a session that is idle for longer");
        MEANINGS.put(
                "idle_in_transaction_session_timeout", "it ends a session that leaves a transaction open for longer");
        MEANINGS.put("statement_timeout", "it cancels a statement that takes longer");
        MEANINGS.put(
                "tcp_keepalives_idle", "after so long without traffic its system asks whether the client is there");
    }

    private PostgresServerLimits() {}

    /**
     * Asks it.
     *
     * @param connection to a PostgreSQL; stays open
     */
    static List<AnnouncedLimit> of(Connection connection) throws SQLException {
        List<AnnouncedLimit> all = new ArrayList<>();
        all.add(new AnnouncedLimit(
                "version", connection.getMetaData().getDatabaseProductVersion(), "the server that answers"));
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> setting : MEANINGS.entrySet()) {
                // The second parameter: a server that is too old to know one says nothing of it.
                try (ResultSet row =
                        statement.executeQuery("select current_setting('" + setting.getKey() + "', true)")) {
                    if (row.next() && row.getString(1) != null) {
                        all.add(announced(setting.getKey(), row.getString(1), setting.getValue()));
                    }
                }
            }
            try (ResultSet row =
                    statement.executeQuery("select count(*) from pg_stat_activity where client_port is not null")) {
                row.next();
                all.add(new AnnouncedLimit(
                        "connections in use", row.getString(1), "by all clients now, this probe's own among them"));
            }
        }
        return all;
    }

    private static AnnouncedLimit announced(String name, String value, String meaning) {
        boolean off = value.equals("0") && name.endsWith("timeout");
        return new AnnouncedLimit(name, value, off ? "switched off" : meaning);
    }
}
