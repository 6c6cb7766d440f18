package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One statement each for all claims, endings and releases of a batch, so that a batch of any size takes one or two
 * round trips and one commit. {@code on conflict do nothing} waits for a concurrent insert of the same key, and does
 * not abort the transaction.
 */
record PostgresKeyRows(String table) implements KeyRows {
    @Override
    public Map<String, Claim> claim(Connection connection, List<WantedKey> byKey, long now) throws SQLException {
        Map<String, Claim> claims = inserted(connection, byKey, now);
        List<WantedKey> existing = byKey.stream()
                .filter(wanted -> !claims.containsKey(wanted.id()))
                .toList();
        if (!existing.isEmpty()) {
            Map<String, KeyRow> rows =
                    find(connection, existing.stream().map(WantedKey::id).toList(), now);
            for (WantedKey wanted : existing) {
                KeyRow row = rows.get(wanted.id());
                claims.put(
                        wanted.id(), KeyRows.claimExisting(connection, table, StoreDialect.POSTGRES, wanted, row, now));
            }
        }
        return claims;
    }

    private Map<String, Claim> inserted(Connection connection, List<WantedKey> byKey, long now) throws SQLException {
        List<KeyRequest> asks = byKey.stream().map(WantedKey::ask).toList();
        Map<String, Claim> claims = new HashMap<>();
        try (PreparedStatement insert = KeyRows.prepare(
                connection,
                "insert into " + table + " (id, fingerprint, owner, lease_until, kept_until)"
                        + " select id, fingerprint, owner, lease, kept from " + PostgresDurability.ON
                        + ", unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])"
                        + " as asked (id, fingerprint, owner, lease, kept) order by id collate \"C\""
                        + " on conflict (id) do nothing returning id")) {
            insert.setArray(1, array(connection, "text", asks, KeyRequest::key));
            insert.setArray(2, array(connection, "text", asks, KeyRequest::fingerprint));
            insert.setArray(3, array(connection, "bigint", asks, KeyRequest::owner));
            insert.setArray(
                    4,
                    array(connection, "bigint", asks, ask -> now + ask.lease().toMillis()));
            insert.setArray(
                    5,
                    array(
                            connection,
                            "bigint",
                            asks,
                            ask -> now + ask.lease().plus(ask.keep()).toMillis()));
            try (ResultSet granted = insert.executeQuery()) {
                while (granted.next()) {
                    claims.put(granted.getString(1), new Claim.Claimed());
                }
            }
            KeyRows.checkConfirmed(insert);
        }
        return claims;
    }

    @Override
    public Map<String, KeyRow> find(Connection connection, List<String> keys, long now) throws SQLException {
        Map<String, KeyRow> rows = new HashMap<>();
        try (PreparedStatement select = KeyRows.prepare(
                connection,
                "select id, fingerprint, owner, lease_until, kept_until, ending from " + table
                        + " where id = any(?::text[])")) {
            select.setArray(1, array(connection, "text", keys, key -> key));
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.put(found.getString(1), KeyRows.row(found, 2, now));
                }
            }
        }
        return rows;
    }

    @Override
    public Set<String> write(Connection connection, List<KeyChange> byKey, long now) throws SQLException {
        List<KeyChange> ended =
                byKey.stream().filter(change -> change.ending() != null).toList();
        List<KeyChange> released =
                byKey.stream().filter(change -> change.ending() == null).toList();
        if (!released.isEmpty()) {
            release(connection, released);
        }
        return ended.isEmpty() ? Set.of() : end(connection, ended, now);
    }

    private Set<String> end(Connection connection, List<KeyChange> ended, long now) throws SQLException {
        try (PreparedStatement update = KeyRows.prepare(
                connection,
                "update " + table + " as k set ending = told.ending, kept_until = told.keep from "
                        + PostgresDurability.ON
                        + ", unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[]) as told (id, owner, keep, ending)"
                        + " where k.id = told.id and k.owner = told.owner returning k.id")) {
            update.setArray(1, array(connection, "text", ended, KeyChange::id));
            update.setArray(2, array(connection, "bigint", ended, KeyChange::owner));
            update.setArray(3, array(connection, "bigint", ended, change -> now + change.keepMillis()));
            update.setArray(
                    4,
                    connection.createArrayOf(
                            "bytea", ended.stream().map(KeyChange::ending).toArray(byte[][]::new)));
            Set<String> written = new HashSet<>();
            try (ResultSet ids = update.executeQuery()) {
                while (ids.next()) {
                    written.add(ids.getString(1));
                }
            }
            KeyRows.checkConfirmed(update);
            return written;
        }
    }

    private void release(Connection connection, List<KeyChange> released) throws SQLException {
        try (PreparedStatement delete = KeyRows.prepare(
                connection,
                "delete from " + table + " as k using " + PostgresDurability.ON
                        + ", unnest(?::text[], ?::bigint[]) as told (id, owner)"
                        + " where k.id = told.id and k.owner = told.owner and k.ending is null")) {
            delete.setArray(1, array(connection, "text", released, KeyChange::id));
            delete.setArray(2, array(connection, "bigint", released, KeyChange::owner));
            delete.executeUpdate();
        }
    }

    private static <T> Array array(Connection connection, String type, List<T> all, Function<T, Object> of)
            throws SQLException {
        return connection.createArrayOf(type, all.stream().map(of).toArray());
    }
}
