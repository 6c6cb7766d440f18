package dev.penstock.lab.load;

import dev.penstock.lab.measure.Outcome;

/**
 * Told how each transaction of a load ended, for figures that {@link dev.penstock.lab.measure.LoadResult} does not have.
 * Called on the thread on which it ended, by many at once, as part of the load's own cost: safe for many threads, and quick.
 */
public interface EndListener {
    /** Listens to nothing. */
    EndListener NOBODY = (outcome, intended, start, end) -> {};

    /**
     * Told once, before anything starts.
     *
     * @param windowStart the reading of the load's ticker at which its warm-up is over
     */
    default void begins(long windowStart) {}

    /**
     * One transaction has ended; those of the warm-up are told too. All times are readings of the load's ticker.
     *
     * @param outcome how
     * @param intended when it was to start
     * @param start when it did
     * @param end when it ended
     */
    void ended(Outcome outcome, long intended, long start, long end);
}
