package dev.penstock.races.jdbcbatch;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import java.util.BitSet;

/**
 * Writes down what each caller was told: kept, not kept, or nothing that is certain. Rows have the numbers from 0 on. Safe for
 * many threads.
 */
final class ToldOutcomes implements Service<Long, Boolean> {
    private final Service<Long, Boolean> inserter;
    private final BitSet answered = new BitSet();
    private final BitSet denied = new BitSet();

    ToldOutcomes(Service<Long, Boolean> inserter) {
        this.inserter = inserter;
    }

    @Override
    public Boolean call(Long id) throws Exception {
        try {
            boolean kept = inserter.call(id);
            if (kept) {
                note(answered, id);
            }
            return kept;
        } catch (Rejected | Failed e) {
            note(denied, id);
            throw e;
        }
    }

    private synchronized void note(BitSet told, long id) {
        told.set(Math.toIntExact(id));
    }

    /** Of whose callers it was said that they are kept. */
    synchronized BitSet answered() {
        return (BitSet) answered.clone();
    }

    /** Of whose callers it was said that they are not. */
    synchronized BitSet denied() {
        return (BitSet) denied.clone();
    }
}
