package dev.penstock.races.sql;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of the {@link CountedDriver} in this JVM. A statement that names the race's table is work; any other
 * statement counts as a validation, like {@code isValid}. Thread-safe.
 */
public final class SqlCounts {
    private static final LongAdder VALIDATIONS = new LongAdder();
    private static final LongAdder CONNECTS = new LongAdder();
    private static final LongAdder COMMITS = new LongAdder();
    private static final LongAdder COMMIT_NANOS = new LongAdder();

    private SqlCounts() {}

    /**
     * The counters at one moment, or the difference of two snapshots.
     *
     * @param validations {@code isValid} calls and test queries
     * @param connects requested connections
     * @param commits committed transactions of the race's work; a batch counts once
     * @param commitNanos their total time, from the first statement to the end of the commit
     */
    public record Snapshot(long validations, long connects, long commits, long commitNanos) {
        /** The difference from an earlier snapshot. */
        public Snapshot since(Snapshot earlier) {
            return new Snapshot(
                    validations - earlier.validations,
                    connects - earlier.connects,
                    commits - earlier.commits,
                    commitNanos - earlier.commitNanos);
        }
    }

    /** The current counters. */
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
