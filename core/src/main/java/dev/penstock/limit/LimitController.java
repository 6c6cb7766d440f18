package dev.penstock.limit;

/**
 * Decides how many permits there are. Samples go in, a decision with its reason comes out: no thread, no clock of its own.
 *
 * <p>{@link #permits()} is read on every acquire by many threads; {@link #sample} is called by the thread that closes a
 * permit, so implementations are safe for many threads.
 */
public interface LimitController {
    /** How many permits there are now; at least 1. */
    int permits();

    /** Why there are that many: one sentence, with its numbers. */
    String reason();

    /**
     * Takes one finished attempt into account.
     *
     * @param now the reading of the ticker when it finished, in nanoseconds
     * @param nanos how long the attempt took, without the wait for its permit
     * @param inFlight how many permits were out when it finished, its own included
     * @param outcome how its permit was closed
     */
    void sample(long now, long nanos, int inFlight, Permit.Outcome outcome);
}
