package dev.penstock.lab.load;

import java.util.function.LongSupplier;

/**
 * Decides the next step of an open load from the time. Waits for nothing itself.
 *
 * <p>A parked thread wakes some tens of microseconds late, and so does a thread that a transaction is handed to. So both
 * happen before a transaction is due, and the thread of the transaction spins for the rest; at high rates, or if the pacing
 * thread runs it, that one spins. On a grid nothing spins: the pacing thread wakes at the first grid point at which a
 * transaction is due.
 *
 * <p>For one thread.
 */
final class Pace {
    /** The longest time for which the pacing thread wakes before a transaction is due: threads wake late after a long sleep. */
    static final long MAX_LEAD_NANOS = 300_000;

    /** This share of the time between two transactions is spent spinning. */
    static final int LEAD_SHARE = 10;

    /** Up to this lead the pacing thread spins itself, as at high rates the threads of transactions also receive answers. */
    private static final long SPIN_NANOS = 100_000;

    /** The next step. */
    enum Step {
        /** Park until {@link #wakeAt()}. */
        PARK,
        /** Ask again immediately. */
        SPIN,
        /** Start a transaction, or hand it over so that it starts when due, and call {@link #advance()}. */
        START,
        /** Nothing is left to start. */
        END
    }

    private final LongSupplier offsets;
    private final long startAt;
    private final long lasting;
    private final long count;
    private final long grid;
    private final boolean handsOver;
    private long sequence;
    private long offset;
    private long lead;

    /**
     * The pace of one load.
     *
     * @param arrivals arrival times
     * @param startAt start time, by the clock
     * @param lasting nanoseconds; later arrivals are not started
     * @param count maximum number of starts
     * @param grid nanoseconds between grid points, the first at the start; 0 for none
     * @param handsOver whether a transaction is handed over to a thread of its own, which waits until it is due
     */
    Pace(Arrivals arrivals, long startAt, long lasting, long count, long grid, boolean handsOver) {
        this.offsets = arrivals.offsets();
        this.startAt = startAt;
        this.lasting = lasting;
        this.count = count;
        this.grid = grid;
        this.handsOver = handsOver;
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
        if (grid > 0 || left > lead) {
            return Step.PARK;
        }
        return handsOver && lead > SPIN_NANOS ? Step.START : Step.SPIN;
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
        return grid == 0 ? intended() - lead : startAt + Math.ceilDiv(offset, grid) * grid;
    }

    /** Moves on to the next transaction. */
    void advance() {
        sequence++;
        long before = offset;
        offset = offsets.getAsLong();
        lead = Math.min((offset - before) / LEAD_SHARE, MAX_LEAD_NANOS);
    }
}
