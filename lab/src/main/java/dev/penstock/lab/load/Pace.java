package dev.penstock.lab.load;

import java.util.function.LongSupplier;

/**
 * Decides the next step of an open load from the time. Waits for nothing itself.
 *
 * <p>A parked thread wakes some tens of microseconds late, so it parks until shortly before a transaction is due and
 * spins for the rest. On a grid it never spins: it wakes at the first grid point at which a transaction is due.
 *
 * <p>For one thread.
 */
final class Pace {
    /** Within this time before a transaction is due, it spins instead of parking. */
    static final long SPIN_NANOS = 100_000;

    /** The next step. */
    enum Step {
        /** Park until {@link #wakeAt()}. */
        PARK,
        /** Ask again immediately. */
        SPIN,
        /** Start a transaction, and call {@link #advance()}. */
        START,
        /** Nothing is left to start. */
        END
    }

    private final LongSupplier offsets;
    private final long startAt;
    private final long lasting;
    private final long count;
    private final long grid;
    private long sequence;
    private long offset;

    /**
     * The pace of one load.
     *
     * @param arrivals arrival times
     * @param startAt start time, by the clock
     * @param lasting nanoseconds; later arrivals are not started
     * @param count maximum number of starts
     * @param grid nanoseconds between grid points, the first at the start; 0 for none
     */
    Pace(Arrivals arrivals, long startAt, long lasting, long count, long grid) {
        this.offsets = arrivals.offsets();
        this.startAt = startAt;
        this.lasting = lasting;
        this.count = count;
        this.grid = grid;
        this.offset = offsets.getAsLong();
    }

    /** The step at this time. */
    Step at(long now) {
        if (sequence >= count || offset >= lasting) {
            return Step.END;
        }
        long left = intended() - now;
        if (left <= 0) {
            return Step.START;
        }
        return grid == 0 && left <= SPIN_NANOS ? Step.SPIN : Step.PARK;
    }

    /** The time at which the next transaction is due. */
    long intended() {
        return startAt + offset;
    }

    /** The number of the next transaction, from 0. */
    long sequence() {
        return sequence;
    }

    /** The time until which to park. */
    long wakeAt() {
        return grid == 0 ? intended() - SPIN_NANOS : startAt + Math.ceilDiv(offset, grid) * grid;
    }

    /** Moves on to the next transaction. */
    void advance() {
        sequence++;
        offset = offsets.getAsLong();
    }
}
