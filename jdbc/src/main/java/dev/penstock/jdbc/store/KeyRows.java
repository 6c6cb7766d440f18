package dev.penstock.jdbc.store;

import dev.penstock.dedupe.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

    /** Reads fingerprint, owner, lease_until, kept_until and ending, starting at a column. */
    static KeyRow row(ResultSet row, int from, long now) throws SQLException {
        return new KeyRow(
                row.getString(from),
                row.getLong(from + 1),
                row.getLong(from + 2) - now,
                row.getLong(from + 3) - now,
                row.getBytes(from + 4));
    }
}
