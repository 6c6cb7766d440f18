package dev.penstock.races.sql;

import java.util.concurrent.atomic.LongAdder;

/**
 * What went through the {@link CountedDriver} of this JVM. What names the table of the race is its work; any other statement is
 * a look at whether the connection lives, as {@code isValid} is. Safe for many threads.
 */
public final class SqlCounts {
    private static final LongAdder VALIDATIONS = new LongAdder();
    private static final LongAdder CONNECTS = new LongAdder();
    private static final LongAdder COMMITS = new LongAdder();
    private static final LongAdder COMMIT_NANOS = new LongAdder();

    private SqlCounts() {}

    /**
     * The counts at one moment, or the difference of two.
     *
     * @param validations {@code isValid} and test queries
     * @param connects connections that were asked for
     * @param commits transactions of the race's work that were committed, batches as one
     * @param commitNanos how long they took, from their first statement to the end of their commit
     */
    public record Snapshot(long validations, long connects, long commits, long commitNanos) {
        /** What was counted after an earlier one. */
        public Snapshot since(Snapshot earlier) {
            return new Snapshot(
                    validations - earlier.validations,
                    connects - earlier.connects,
                    commits - earlier.commits,
                    commitNanos - earlier.commitNanos);
        }
    }

    /** All that was counted so far. */
    public static Snapshot now() {
        return new Snapshot(VALIDATIONS.sum(), CONNECTS.sum(), COMMITS.sum(), COMMIT_NANOS.sum());
    }

    static void validation() {
        VALIDATIONS.increment();
    }

    static void connect() {
        CONNECTS.increment();
    }

    static void commit(long nanos) {
        COMMITS.increment();
        COMMIT_NANOS.add(nanos);
    }
}
