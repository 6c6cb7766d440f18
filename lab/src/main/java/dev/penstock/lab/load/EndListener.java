package dev.penstock.lab.load;

import dev.penstock.lab.measure.Outcome;

/**
 * Receives the end of each transaction of a load, for metrics that {@link dev.penstock.lab.measure.LoadResult} does not
 * have. Called concurrently, on the threads on which transactions end, as part of the load's own cost: must be
 * thread-safe and fast.
 */
public interface EndListener {
    /** Ignores everything. */
    EndListener NOBODY = (outcome, intended, start, end) -> {};

    /**
     * Called once, before anything starts.
     *
     * @param windowStart the time at which the warm-up ends, by the load's ticker
     */
    default void begins(long windowStart) {}

    /**
     * Called for each transaction that ended, including the warm-up. All times are by the load's ticker.
     *
     * @param outcome its outcome
     * @param intended intended start
     * @param start actual start
     * @param end its end
     */
    void ended(Outcome outcome, long intended, long start, long end);
}
