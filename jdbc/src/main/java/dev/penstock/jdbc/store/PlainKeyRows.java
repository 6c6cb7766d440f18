package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Row by row, in standard SQL. A key is claimed by inserting it. A duplicate key is an error that does not abort the
 * transaction, in all databases but PostgreSQL; SQLite reports it by an update count of 0.
 */
record PlainKeyRows(String table, StoreDialect dialect) implements KeyRows {
    /** The SQLState class of integrity constraint violations. */
    private static final String VIOLATION = "23";

    @Override
    public Map<String, Claim> claim(Connection connection, List<WantedKey> byKey, long now) throws SQLException {
        Map<String, Claim> claims = new HashMap<>();
        try (PreparedStatement insert = KeyRows.prepare(
                        connection,
                        "insert into " + table
                                + " (id, fingerprint, owner, lease_until, kept_until) values (?, ?, ?, ?, ?)"
                                + dialect.ignoreDuplicate());
                PreparedStatement select = select(connection)) {
            for (WantedKey wanted : byKey) {
                claims.put(
                        wanted.id(),
                        inserted(insert, wanted.ask(), now)
                                ? new Claim.Claimed()
                                : KeyRows.claimExisting(
                                        connection, table, dialect, wanted, read(select, wanted.id(), now), now));
            }
        }
        return claims;
    }

    private PreparedStatement select(Connection connection) throws SQLException {
        return KeyRows.prepare(
                connection,
                "select fingerprint, owner, lease_until, kept_until, ending from " + table + " where id = ?");
    }

    @Override
    public Map<String, KeyRow> find(Connection connection, List<String> keys, long now) throws SQLException {
        Map<String, KeyRow> rows = new HashMap<>();
        try (PreparedStatement select = select(connection)) {
            for (String key : keys) {
                KeyRow row = read(select, key, now);
                if (row != null) {
                    rows.put(key, row);
                }
            }
        }
        return rows;
    }

    private static boolean inserted(PreparedStatement insert, KeyRequest ask, long now) throws SQLException {
        insert.setString(1, ask.key());
        insert.setString(2, ask.fingerprint());
        insert.setLong(3, ask.owner());
        insert.setLong(4, now + ask.lease().toMillis());
        insert.setLong(5, now + ask.lease().plus(ask.keep()).toMillis());
        try {
            return insert.executeUpdate() == 1;
        } catch (SQLException duplicate) {
            String state = duplicate.getSQLState();
            if (state != null && state.startsWith(VIOLATION)) {
                return false;
            }
            throw duplicate;
        }
    }

    private static @Nullable KeyRow read(PreparedStatement select, String id, long now) throws SQLException {
        select.setString(1, id);
        try (ResultSet found = select.executeQuery()) {
            return found.next() ? KeyRows.row(found, 1, now) : null;
        }
    }

    @Override
    public Set<String> write(Connection connection, List<KeyChange> byKey, long now) throws SQLException {
        Set<String> ended = new HashSet<>();
        try (PreparedStatement end = KeyRows.prepare(
                        connection, "update " + table + " set ending = ?, kept_until = ? where id = ? and owner = ?");
                PreparedStatement release = KeyRows.prepare(
                        connection, "delete from " + table + " where id = ? and owner = ? and ending is null")) {
            for (KeyChange change : byKey) {
                byte[] ending = change.ending();
                if (ending == null) {
                    release.setString(1, change.id());
                    release.setLong(2, change.owner());
                    release.executeUpdate();
                } else {
                    end.setBytes(1, ending);
                    end.setLong(2, now + change.keepMillis());
                    end.setString(3, change.id());
                    end.setLong(4, change.owner());
                    if (end.executeUpdate() == 1) {
                        ended.add(change.id());
                    }
                }
            }
        }
        return ended;
    }
}
