package dev.penstock.jdbc.store;

import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Makes a row that is there another owner's: one that is over, or whose owner may be replaced. Rare, so one by one. */
record KeyTakeover(String table, StoreDialect dialect) {
    /**
     * The result for the caller, after the row was changed if it may be.
     *
     * @param row as it was read; null when it was gone by then
     */
    Claim decide(Connection connection, WantedKey wanted, @Nullable KeyRow row, long now) throws SQLException {
        KeyRequest ask = wanted.ask();
        if (row == null) {
            return KeyRow.inMotion(ask);
        }
        if (row.isOver()) {
            return seized(connection, ask, row, "kept_until <= " + now, now);
        }
        if (row.isTakenOverBy(wanted)) {
            return seized(connection, ask, row, "(ending is not null or lease_until <= " + now + ")", now);
        }
        return row.stands(ask);
    }

    private Claim seized(Connection connection, KeyRequest ask, KeyRow row, String still, long now) throws SQLException {
        try (PreparedStatement update = KeyRows.prepared(
                connection,
                "update " + table + " set fingerprint = ?, owner = ?, lease_until = ?, kept_until = ?, ending = null"
                        + dialect.durably() + " where id = ? and owner = ? and " + still)) {
            update.setString(1, ask.fingerprint());
            update.setLong(2, ask.owner());
            update.setLong(3, now + ask.lease().toMillis());
            update.setLong(4, now + ask.lease().plus(ask.keep()).toMillis());
            update.setString(5, ask.key());
            update.setLong(6, row.owner());
            boolean mine = update.executeUpdate() == 1;
            KeyRows.confirmed(update);
            return mine ? new Claim.Claimed() : KeyRow.inMotion(ask);
        }
    }
}
