package dev.penstock.jdbc.ledger;

import dev.penstock.dedupe.Claim;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** What is done to the rows of the table, many in one transaction, which the caller commits. */
interface Rows {
    /** How long a statement may take; whoever waits for it has left by then. */
    int MOST_SECONDS = 5;

    /** What each is told who asks for a key, by key. In the order of keys, so that no two transactions wait for each other. */
    Map<String, Claim> claim(Connection connection, List<Wanted> byKey) throws SQLException;

    /** What the rows of keys say, by key; those that are not there are left out. */
    Map<String, Row> find(Connection connection, List<String> keys) throws SQLException;

    /** Writes down what is told of each key. */
    void tell(Connection connection, List<News> byKey) throws SQLException;

    static PreparedStatement prepared(Connection connection, String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(MOST_SECONDS);
        return statement;
    }

    /** Reads fingerprint, owner, lease left, kept left and ending, from a column on. */
    static Row row(ResultSet row, int from) throws SQLException {
        return new Row(
                row.getString(from),
                row.getLong(from + 1),
                row.getLong(from + 2),
                row.getLong(from + 3),
                row.getBytes(from + 4));
    }
}
