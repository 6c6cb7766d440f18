package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.jdbc.store.KeyRows.KeyRow;
import dev.penstock.jdbc.store.KeyRows.WantedKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Changes the owner of an existing row that has expired or whose owner may be replaced. Rare, so row by row. */
record KeyTakeover(String table, StoreDialect dialect) {
    /**
     * Takes the row over if allowed, and returns the result of the claim.
     *
     * @param row the row as it was read; null if it has been deleted since
     */
    Claim decide(Connection connection, WantedKey wanted, @Nullable KeyRow row, long now) throws SQLException {
        KeyRequest ask = wanted.ask();
        if (row == null) {
            return KeyRow.contended(ask);
        }
        if (row.isExpired()) {
            return replace(connection, ask, row, "kept_until <= " + now, now);
        }
        if (row.isTakenOverBy(wanted)) {
            return replace(connection, ask, row, "(ending is not null or lease_until <= " + now + ")", now);
        }
        return row.toClaim(ask);
    }

    private Claim replace(Connection connection, KeyRequest ask, KeyRow row, String condition, long now)
            throws SQLException {
        try (PreparedStatement update = KeyRows.prepare(
                connection,
                "update " + table + " set fingerprint = ?, owner = ?, lease_until = ?, kept_until = ?, ending = null"
                        + dialect.waitForCommit() + " where id = ? and owner = ? and " + condition)) {
            update.setString(1, ask.fingerprint());
            update.setLong(2, ask.owner());
            update.setLong(3, now + ask.lease().toMillis());
            update.setLong(4, now + ask.lease().plus(ask.keep()).toMillis());
            update.setString(5, ask.key());
            update.setLong(6, row.owner());
            boolean replaced = update.executeUpdate() == 1;
            KeyRows.checkConfirmed(update);
            return replaced ? new Claim.Claimed() : KeyRow.contended(ask);
        }
    }
}
