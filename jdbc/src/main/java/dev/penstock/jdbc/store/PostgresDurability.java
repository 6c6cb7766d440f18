package dev.penstock.jdbc.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ensures that PostgreSQL's commits are durable: sets what a session can set, and warns about server settings. */
final class PostgresDurability {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");

    /**
     * For the FROM clause of a statement that changes a row. Applies to its transaction only, since a pooler may assign
     * the session to other clients. {@code remote_apply} is stronger than {@code on}; {@code local} and {@code
     * remote_write} are weaker.
     */
    static final String ON = "(select set_config('synchronous_commit', case current_setting('synchronous_commit')"
            + " when 'remote_apply' then 'remote_apply' else 'on' end, true)) as durable";

    private PostgresDurability() {}

    /** Logs settings that can lose keys in a failover or a power failure. Does nothing for other databases. */
    static void warn(Connection connection, StoreDialect dialect, KeyTable table) {
        if (dialect != StoreDialect.POSTGRES) {
            return;
        }
        try {
            warnings(connection).forEach(warning -> LOG.warn("keys in table {}: {}", table.name(), warning));
        } catch (SQLException failed) {
            LOG.debug("cannot read the durability settings of PostgreSQL", failed);
        }
    }

    static List<String> warnings(Connection connection) throws SQLException {
        List<String> warnings = new ArrayList<>();
        try (PreparedStatement select = KeyRows.prepare(
                        connection,
                        "select current_setting('fsync'), current_setting('synchronous_standby_names'),"
                                + " (select count(*) from pg_stat_replication)");
                ResultSet row = select.executeQuery()) {
            if (!row.next()) {
                return warnings;
            }
            if (row.getString(1).equals("off")) {
                warnings.add(
                        "PostgreSQL runs with fsync = off: a power failure may lose keys, and their requests may be sent twice;"
                                + " set fsync = on");
            }
            long replicas = row.getLong(3);
            if (row.getString(2).isEmpty() && replicas > 0) {
                warnings.add(
                        ("replication is asynchronous (%d replicas, synchronous_standby_names is empty): a failover may"
                                        + " lose the last keys, and their requests may be sent twice; set synchronous_standby_names")
                                .formatted(replicas));
            }
        }
        return warnings;
    }
}
