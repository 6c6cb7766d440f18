package dev.penstock.lab.load;

import java.util.function.LongSupplier;

/**
 * Decides what an open load does now: a time goes in, a step comes out. It waits for nothing itself.
 *
 * <p>A parked thread wakes some tens of microseconds late, so it parks until a little before a transaction is due and
 * spins for the rest. On a grid it parks for all of it and spins never: it wakes at the first point of the grid at which
 * something is due.
 *
 * <p>For one thread.
 */
final class Pace {
    /** How long before a transaction is due it no longer parks. */
    static final long SPIN_NANOS = 100_000;

    /** What to do now. */
    enum Step {
        /** Park until {@link #wakeAt()}. */
        PARK,
        /** Look again at once. */
        SPIN,
        /** Start a transaction, and call {@link #taken()}. */
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
     * @param arrivals when transactions are due
     * @param startAt the clock's reading at the start
     * @param lasting nanoseconds; what is due later is not started
     * @param count how many are started at most
     * @param grid nanoseconds between two points of the grid, the first at the start; 0 for none
     */
    Pace(Arrivals arrivals, long startAt, long lasting, long count, long grid) {
        this.offsets = arrivals.offsets();
        this.startAt = startAt;
        this.lasting = lasting;
        this.count = count;
        this.grid = grid;
        this.offset = offsets.getAsLong();
    }

    /** What to do at this reading of the clock. */
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

    /** When the next transaction is due. */
    long intended() {
        return startAt + offset;
    }

    /** The number of the next transaction, from 0 on. */
    long sequence() {
        return sequence;
    }

    /** Until when to park. */
    long wakeAt() {
        return grid == 0 ? intended() - SPIN_NANOS : startAt + Math.ceilDiv(offset, grid) * grid;
    }

    /** Goes on to the next transaction. */
    void taken() {
        sequence++;
        offset = offsets.getAsLong();
    }
}
