package dev.penstock.races.jdbcbatch;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import java.util.BitSet;

/**
 * Records the outcome reported to each caller: stored, not stored, or unknown. Rows are numbered from 0. Thread-safe.
 */
final class ReportedOutcomes implements Service<Long, Boolean> {
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
