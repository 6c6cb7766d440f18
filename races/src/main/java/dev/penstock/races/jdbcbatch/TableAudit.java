package dev.penstock.races.jdbcbatch;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is in the table when all is over, against what was told.
 *
 * @param rows in the table, those of the rehearsal not counted
 * @param lost of the answered, how many are not there
 * @param duplicates rows beyond the first with the same number
 * @param deniedPresent of those that were denied, how many are there
 */
record TableAudit(long rows, long lost, long duplicates, long deniedPresent) {
    private static final int AT_ONCE = 10_000;

    /** Reads the table, on a connection of its own. */
    static TableAudit of(String url, ToldOutcomes books) throws SQLException {
        BitSet there = new BitSet();
        long rows = 0;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(AT_ONCE);
            try (ResultSet ids = statement.executeQuery("SELECT id FROM entry WHERE id >= 0")) {
                while (ids.next()) {
                    there.set(Math.toIntExact(ids.getLong(1)));
                    rows++;
                }
            }
        }
        BitSet lost = books.answered();
        lost.andNot(there);
        BitSet denied = books.denied();
        denied.and(there);
        return new TableAudit(rows, lost.cardinality(), rows - there.cardinality(), denied.cardinality());
    }

    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("lost", (double) lost);
        metrics.put("duplicates", (double) duplicates);
        metrics.put("denied_present", (double) deniedPresent);
        return metrics;
    }
}
