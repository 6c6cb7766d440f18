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

/** What is done to the rows of the table, many in one transaction, which the caller commits. */
interface KeyRows {
    /** How long a statement may take; whoever waits for it has left by then. */
    int MOST_SECONDS = 5;

    /** SQL state "statement completion unknown". */
    String NOT_CONFIRMED = "40003";

    /** What each is told who asks for a key, by key. In the order of keys, so that no two transactions wait for each other. */
    Map<String, Claim> claim(Connection connection, List<WantedKey> byKey, long now) throws SQLException;

    /** What the rows of keys say, by key; those that are not there are left out. */
    Map<String, KeyRow> find(Connection connection, List<String> keys, long now) throws SQLException;

    /**
     * Stores what is reported about each key.
     *
     * @return the keys whose ending is written down; a key that is not its owner's any more is missing
     */
    Set<String> tell(Connection connection, List<KeyChange> byKey, long now) throws SQLException;

    /** A statement with a bound on its time. */
    static PreparedStatement prepared(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(MOST_SECONDS);
        return statement;
    }

    /**
     * Sees to it that what a statement has committed is also where its commit had to wait for: PostgreSQL only warns when it
     * stops waiting for a replica, for instance since the statement took too long.
     */
    static void confirmed(PreparedStatement statement) throws SQLException {
        SQLWarning warning = statement.getWarnings();
        if (warning != null) {
            throw new SQLException(warning.getMessage(), NOT_CONFIRMED, warning);
        }
    }

    /** Reads fingerprint, owner, end of lease, end of keeping and ending, from a column on. */
    static KeyRow row(ResultSet row, int from, long now) throws SQLException {
        return new KeyRow(
                row.getString(from),
                row.getLong(from + 1),
                row.getLong(from + 2) - now,
                row.getLong(from + 3) - now,
                row.getBytes(from + 4));
    }
}
