package dev.penstock.jdbc.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Creates the table and deletes expired rows.
 *
 * @param name the name of the table, optionally with its schema
 */
record KeyTable(String name) {
    static final String DEFAULT_NAME = "penstock_keys";
    static final int SWEEP_BATCH = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

    KeyTable {
        if (!isName(name)) {
            throw new IllegalArgumentException("invalid table name '" + name
                    + "'; use letters, digits and _, optionally with a schema and a dot before it");
        }
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Creates the table and the index for the sweep unless they exist. Needs no CREATE privilege if the table exists.
     */
    void createIfMissing(Connection connection, StoreDialect dialect) throws SQLException {
        if (exists(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.create(name));
            statement.execute("create index " + name.replace('.', '_') + "_kept on " + name + " (kept_until)");
            if (dialect == StoreDialect.SQLITE) {
                statement.execute("create index " + name + "_open on " + name + " (id) where ending is null");
            }
        } catch (SQLException failed) {
            // Another process may have created it at the same time.
            if (!exists(connection)) {
                throw failed;
            }
        }
    }

    private boolean exists(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet empty = statement.executeQuery(
                        "select fingerprint, owner, lease_until, kept_until from " + name + " where 1 = 0")) {
            return !empty.next();
        } catch (SQLException missing) {
            return false;
        }
    }

    /** Writes without a change, to find out whether that works. */
    boolean touch(Connection connection) throws SQLException {
        try (PreparedStatement update =
                KeyRows.prepare(connection, "update " + name + " set lease_until = lease_until where id = ?")) {
            update.setString(1, StoreClock.ID);
            return update.executeUpdate() == 1;
        }
    }

    /** Ends all leases. Only for a table that no other process can open, before the first claim of this one. */
    void endLeases(Connection connection) throws SQLException {
        try (PreparedStatement update = KeyRows.prepare(
                connection, "update " + name + " set lease_until = 0 where ending is null and id <> ?")) {
            update.setString(1, StoreClock.ID);
            update.executeUpdate();
        }
    }

    /**
     * Deletes expired rows.
     *
     * @return the number of deleted rows, at most {@value #SWEEP_BATCH}
     */
    int sweep(Connection connection, long now) throws SQLException {
        List<String> expired = new ArrayList<>();
        String isExpired = "kept_until <= " + now;
        try (PreparedStatement select = KeyRows.prepare(
                connection, "select id from " + name + " where " + isExpired + " order by kept_until")) {
            select.setMaxRows(SWEEP_BATCH);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    expired.add(found.getString(1));
                }
            }
        }
        expired.sort(null);
        try (PreparedStatement delete =
                KeyRows.prepare(connection, "delete from " + name + " where id = ? and " + isExpired)) {
            for (String id : expired) {
                delete.setString(1, id);
                delete.addBatch();
            }
            if (!expired.isEmpty()) {
                delete.executeBatch();
            }
        }
        return expired.size();
    }
}
