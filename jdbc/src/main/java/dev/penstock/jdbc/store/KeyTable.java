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
 * Makes the table when it is missing, and takes out what need not be kept any more.
 *
 * @param name a plain name, or one with its schema
 */
record KeyTable(String name) {
    static final String DEFAULT_NAME = "penstock_keys";
    static final int SWEPT_AT_ONCE = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62})?");

    KeyTable {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "a table's name is letters, digits and _, with its schema before a dot if need be, not '" + name
                            + "'");
        }
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Makes it, with an index by which it is swept, unless it is there. Needs no right to do so when it is there. */
    void make(Connection connection, StoreDialect dialect) throws SQLException {
        if (isThere(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.create(name));
            statement.execute("create index " + name.replace('.', '_') + "_kept on " + name + " (kept_until)");
            if (dialect == StoreDialect.SQLITE) {
                statement.execute("create index " + name + "_open on " + name + " (id) where ending is null");
            }
        } catch (SQLException cannot) {
            // Another process may have made it just now.
            if (!isThere(connection)) {
                throw cannot;
            }
        }
    }

    private boolean isThere(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet none = statement.executeQuery(
                        "select fingerprint, owner, lease_until, kept_until from " + name + " where 1 = 0")) {
            return !none.next();
        } catch (SQLException missing) {
            return false;
        }
    }

    /** Stores when the clock begins, unless another process has just done so; returns the stored time. */
    long beginClock(Connection connection, long millis) throws SQLException {
        try (PreparedStatement insert = KeyRows.prepared(
                connection,
                "insert into " + name + " (id, fingerprint, owner, lease_until, kept_until) values (?, '', 0, ?, ?)")) {
            insert.setString(1, StoreClock.ID);
            insert.setLong(2, millis);
            insert.setLong(3, Long.MAX_VALUE);
            insert.executeUpdate();
            return millis;
        } catch (SQLException there) {
            try (PreparedStatement select =
                    KeyRows.prepared(connection, "select lease_until from " + name + " where id = ?")) {
                select.setString(1, StoreClock.ID);
                try (ResultSet found = select.executeQuery()) {
                    if (found.next()) {
                        return found.getLong(1);
                    }
                }
            }
            throw there;
        }
    }

    /** Ends all leases: for a table that no other process can have open, before the first claim of this one. */
    void endLeases(Connection connection) throws SQLException {
        try (PreparedStatement update =
                KeyRows.prepared(connection, "update " + name + " set lease_until = 0 where ending is null and id <> ?")) {
            update.setString(1, StoreClock.ID);
            update.executeUpdate();
        }
    }

    /**
     * Takes out rows that are over.
     *
     * @return how many there were, {@value #SWEPT_AT_ONCE} at most
     */
    int sweep(Connection connection, long now) throws SQLException {
        List<String> over = new ArrayList<>();
        String isOver = "kept_until <= " + now;
        try (PreparedStatement select =
                KeyRows.prepared(connection, "select id from " + name + " where " + isOver + " order by kept_until")) {
            select.setMaxRows(SWEPT_AT_ONCE);
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    over.add(found.getString(1));
                }
            }
        }
        over.sort(null);
        try (PreparedStatement delete =
                KeyRows.prepared(connection, "delete from " + name + " where id = ? and " + isOver)) {
            for (String id : over) {
                delete.setString(1, id);
                delete.addBatch();
            }
            if (!over.isEmpty()) {
                delete.executeBatch();
            }
        }
        return over.size();
    }
}
