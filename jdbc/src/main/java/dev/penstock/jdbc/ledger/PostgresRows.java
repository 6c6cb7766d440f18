package dev.penstock.jdbc.ledger;

import dev.penstock.dedupe.Ask;
import dev.penstock.dedupe.Claim;
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
 * All rows of a batch by one statement each for claims, endings and releases, so that a batch is a round trip or two and a
 * commit, however large it is. {@code on conflict do nothing} waits for whoever inserts the same key at this moment, and
 * leaves the transaction whole.
 */
record PostgresRows(String table) implements Rows {
    @Override
    public Map<String, Claim> claim(Connection connection, List<Wanted> byKey, long now) throws SQLException {
        Map<String, Claim> claims = inserted(connection, byKey, now);
        List<Wanted> there = byKey.stream()
                .filter(wanted -> !claims.containsKey(wanted.id()))
                .toList();
        if (!there.isEmpty()) {
            Map<String, Row> rows =
                    find(connection, there.stream().map(Wanted::id).toList(), now);
            Seizing seizing = new Seizing(table, Dialect.POSTGRES);
            for (Wanted wanted : there) {
                claims.put(wanted.id(), seizing.decide(connection, wanted, rows.get(wanted.id()), now));
            }
        }
        return claims;
    }

    private Map<String, Claim> inserted(Connection connection, List<Wanted> byKey, long now) throws SQLException {
        List<Ask> asks = byKey.stream().map(Wanted::ask).toList();
        Map<String, Claim> claims = new HashMap<>();
        try (PreparedStatement insert = Rows.prepared(
                connection,
                "insert into " + table + " (id, fingerprint, owner, lease_until, kept_until)"
                        + " select id, fingerprint, owner, lease, kept from " + PostgresDurability.ON
                        + ", unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])"
                        + " as asked (id, fingerprint, owner, lease, kept) order by id collate \"C\""
                        + " on conflict (id) do nothing returning id")) {
            insert.setArray(1, array(connection, "text", asks, Ask::key));
            insert.setArray(2, array(connection, "text", asks, Ask::fingerprint));
            insert.setArray(3, array(connection, "bigint", asks, Ask::owner));
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
            Rows.confirmed(insert);
        }
        return claims;
    }

    @Override
    public Map<String, Row> find(Connection connection, List<String> keys, long now) throws SQLException {
        Map<String, Row> rows = new HashMap<>();
        try (PreparedStatement select = Rows.prepared(
                connection,
                "select id, fingerprint, owner, lease_until, kept_until, ending from " + table
                        + " where id = any(?::text[])")) {
            select.setArray(1, array(connection, "text", keys, key -> key));
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    rows.put(found.getString(1), Rows.row(found, 2, now));
                }
            }
        }
        return rows;
    }

    @Override
    public Set<String> tell(Connection connection, List<News> byKey, long now) throws SQLException {
        List<News> ended = byKey.stream().filter(news -> news.ending() != null).toList();
        List<News> released =
                byKey.stream().filter(news -> news.ending() == null).toList();
        if (!released.isEmpty()) {
            release(connection, released);
        }
        return ended.isEmpty() ? Set.of() : end(connection, ended, now);
    }

    private Set<String> end(Connection connection, List<News> ended, long now) throws SQLException {
        try (PreparedStatement update = Rows.prepared(
                connection,
                "update " + table + " as k set ending = told.ending, kept_until = told.keep from "
                        + PostgresDurability.ON
                        + ", unnest(?::text[], ?::bigint[], ?::bigint[], ?::bytea[]) as told (id, owner, keep, ending)"
                        + " where k.id = told.id and k.owner = told.owner returning k.id")) {
            update.setArray(1, array(connection, "text", ended, News::id));
            update.setArray(2, array(connection, "bigint", ended, News::owner));
            update.setArray(3, array(connection, "bigint", ended, news -> now + news.keepMillis()));
            update.setArray(
                    4,
                    connection.createArrayOf(
                            "bytea", ended.stream().map(News::ending).toArray(byte[][]::new)));
            Set<String> written = new HashSet<>();
            try (ResultSet ids = update.executeQuery()) {
                while (ids.next()) {
                    written.add(ids.getString(1));
                }
            }
            Rows.confirmed(update);
            return written;
        }
    }

    private void release(Connection connection, List<News> released) throws SQLException {
        try (PreparedStatement delete = Rows.prepared(
                connection,
                "delete from " + table + " as k using " + PostgresDurability.ON
                        + ", unnest(?::text[], ?::bigint[]) as told (id, owner)"
                        + " where k.id = told.id and k.owner = told.owner and k.ending is null")) {
            delete.setArray(1, array(connection, "text", released, News::id));
            delete.setArray(2, array(connection, "bigint", released, News::owner));
            delete.executeUpdate();
        }
    }

    private static <T> Array array(Connection connection, String type, List<T> all, Function<T, Object> of)
            throws SQLException {
        return connection.createArrayOf(type, all.stream().map(of).toArray());
    }
}
