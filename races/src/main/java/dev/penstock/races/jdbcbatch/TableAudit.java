package dev.penstock.races.jdbcbatch;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Compares the table's content at the end with the reported outcomes.
 *
 * @param rows in the table, without those of the rehearsal
 * @param lost rows reported as stored and absent
 * @param duplicates additional rows with the same number
 * @param deniedPresent rows reported as not stored and present
 */
record TableAudit(long rows, long lost, long duplicates, long deniedPresent) {
    private static final int FETCH_SIZE = 10_000;

    /** Reads the table, on a separate connection. */
    static TableAudit of(String url, ReportedOutcomes outcomes) throws SQLException {
        BitSet there = new BitSet();
        long rows = 0;
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet ids = statement.executeQuery("SELECT id FROM entry WHERE id >= 0")) {
                while (ids.next()) {
                    there.set(Math.toIntExact(ids.getLong(1)));
                    rows++;
                }
            }
        }
        BitSet lost = outcomes.answered();
        lost.andNot(there);
        BitSet denied = outcomes.denied();
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

    /**
     * Records the outcome reported to each caller: stored, not stored, or unknown. Rows are numbered from 0. Thread-safe.
     */
    static final class ReportedOutcomes implements Service<Long, Boolean> {
        private final Service<Long, Boolean> inserter;
        private final BitSet answered = new BitSet();
        private final BitSet denied = new BitSet();

        ReportedOutcomes(Service<Long, Boolean> inserter) {
            this.inserter = inserter;
        }

        @Override
        public Boolean call(Long id) throws Exception {
            try {
                boolean stored = inserter.call(id);
                if (stored) {
                    record(answered, id);
                }
                return stored;
            } catch (Rejected | Failed e) {
                record(denied, id);
                throw e;
            }
        }

        private synchronized void record(BitSet rows, long id) {
            rows.set(Math.toIntExact(id));
        }

        /** The rows reported as stored. */
        synchronized BitSet answered() {
            return (BitSet) answered.clone();
        }

        /** The rows reported as not stored. */
        synchronized BitSet denied() {
            return (BitSet) denied.clone();
        }
    }
}
