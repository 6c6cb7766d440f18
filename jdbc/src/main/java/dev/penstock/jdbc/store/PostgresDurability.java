package dev.penstock.jdbc.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether what PostgreSQL has committed stays: what a session can set is set, what only the server can set is warned about. */
final class PostgresDurability {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");

    /**
     * To stand in the FROM of a statement that changes a row, for its transaction alone, since a pooler may give the session to
     * others. {@code remote_apply} is more than {@code on}; {@code local} and {@code remote_write} are less.
     */
    static final String ON = "(select set_config('synchronous_commit', case current_setting('synchronous_commit')"
            + " when 'remote_apply' then 'remote_apply' else 'on' end, true)) as durable";

    private PostgresDurability() {}

    /** Says in the log what can lose keys in a failover or a power cut. Does nothing with other databases. */
    static void warn(Connection connection, StoreDialect dialect, KeyTable table) {
        if (dialect != StoreDialect.POSTGRES) {
            return;
        }
        try {
            warnings(connection).forEach(warning -> LOG.warn("keys in table {}: {}", table.name(), warning));
        } catch (SQLException unseen) {
            LOG.debug("whether PostgreSQL keeps what it commits could not be looked up", unseen);
        }
    }

    static List<String> warnings(Connection connection) throws SQLException {
        List<String> warnings = new ArrayList<>();
        try (PreparedStatement select = KeyRows.prepared(
                        connection,
                        "select current_setting('fsync'), current_setting('synchronous_standby_names'),"
                                + " (select count(*) from pg_stat_replication)");
                ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return warnings;
            }
            if (row.getString(1).equals("off")) {
                warnings.add(
                        "PostgreSQL runs with fsync = off, so a power cut may lose keys, and they may be sent twice;"
                                + " set fsync = on");
            }
            long replicas = row.getLong(3);
            if (row.getString(2).isEmpty() && replicas > 0) {
                warnings.add(
                        ("replication is asynchronous (%d connected, synchronous_standby_names is empty), so a failover may"
                                        + " lose the last keys, and they may be sent twice; set synchronous_standby_names")
                                .formatted(replicas));
            }
        }
        return warnings;
    }
}
