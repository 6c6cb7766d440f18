package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations on the rows of the table, many in one transaction, which the caller commits. */
interface KeyRows {
    /** The query timeout of a statement, in seconds. Callers no longer wait by then. */
    int QUERY_TIMEOUT_SECONDS = 5;

    /** SQLState "statement completion unknown". */
    String NOT_CONFIRMED = "40003";

    /** Claims keys and returns the result by key. Sorted by key, so that concurrent transactions do not deadlock. */
    Map<String, Claim> claim(Connection connection, List<WantedKey> byKey, long now) throws SQLException;

    /** The rows of keys, by key; keys without a row are absent. */
    Map<String, KeyRow> find(Connection connection, List<String> keys, long now) throws SQLException;

    /**
     * Stores endings and releases.
     *
     * @return the keys whose ending was stored; a key that has another owner by now is absent
     */
    Set<String> write(Connection connection, List<KeyChange> byKey, long now) throws SQLException;

    /** A prepared statement with the query timeout set. */
    static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
        return statement;
    }

    /**
     * Fails if a commit was not confirmed: PostgreSQL only issues a warning when it stops waiting for a replica, for
     * instance because of a query timeout.
     */
    static void checkConfirmed(PreparedStatement statement) throws SQLException {
        SQLWarning warning = statement.getWarnings();
        if (warning != null) {
            throw new SQLException(warning.getMessage(), NOT_CONFIRMED, warning);
        }
    }

    /**
     * The result of a claim of a key that has a row. Takes the row over if it has expired, or its owner may be replaced.
     *
     * @param row the row as it was read; null if it has been deleted since
     */
    static Claim claimExisting(
            Connection connection, String table, StoreDialect dialect, WantedKey wanted, @Nullable KeyRow row, long now)
            throws SQLException {
        KeyRequest ask = wanted.ask();
        if (row == null) {
            return KeyRow.contended(ask);
        }
        if (!row.isExpired() && !row.isTakenOverBy(wanted)) {
            return row.toClaim(ask);
        }
        String condition =
                row.isExpired() ? "kept_until <= " + now : "(ending is not null or lease_until <= " + now + ")";
        try (PreparedStatement update = prepare(
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
            checkConfirmed(update);
            return replaced ? new Claim.Claimed() : KeyRow.contended(ask);
        }
    }

    /** Reads fingerprint, owner, lease_until, kept_until and ending, starting at a column. */
    static KeyRow row(ResultSet row, int from, long now) throws SQLException {
        return new KeyRow(
                row.getString(from),
                row.getLong(from + 1),
                row.getLong(from + 2) - now,
                row.getLong(from + 3) - now,
                row.getBytes(from + 4));
    }

    /**
     * The state of a key's row at the time it was read. Immutable.
     *
     * @param leaseLeft the remaining lease, in milliseconds
     * @param keptLeft the remaining retention, in milliseconds
     * @param ending null until the key has ended
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record KeyRow(String fingerprint, long owner, long leaseLeft, long keptLeft, byte @Nullable [] ending) {
        /** Whether the key may be claimed like a new one. */
        boolean isExpired() {
            return keptLeft <= 0;
        }

        boolean isTakenOverBy(WantedKey wanted) {
            Long before = wanted.before();
            return before != null && before == owner && (ending != null || leaseLeft <= 0);
        }

        /** The result of a claim that leaves the row unchanged. */
        Claim toClaim(KeyRequest ask) {
            return ending == null && owner == ask.owner() ? new Claim.Claimed() : toClaim();
        }

        /** The result for a caller that does not own the key. */
        Claim toClaim() {
            if (ending != null) {
                return new Claim.Ended(fingerprint, owner, ending);
            }
            return leaseLeft > 0
                    ? new Claim.Running(fingerprint, Duration.ofMillis(leaseLeft))
                    : new Claim.Lapsed(fingerprint, owner);
        }

        /** Another process changed the row at the same time: the caller should ask again immediately. */
        static Claim contended(KeyRequest ask) {
            return new Claim.Running(ask.fingerprint(), Duration.ZERO);
        }
    }

    /**
     * A request to claim a key.
     *
     * @param before the owner to take the key over from; null for a plain claim
     */
    record WantedKey(KeyRequest ask, @Nullable Long before) {
        String id() {
            return ask.key();
        }
    }

    /**
     * The ending or the release of a key.
     *
     * @param keepMillis how long the ending is kept, in milliseconds
     * @param ending the ending to repeat from now on; null to release the key
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record KeyChange(String id, long owner, long keepMillis, byte @Nullable [] ending) {}
}
