package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * Decides how many permits there are. Samples go in, a decision with its reason comes out: no thread, no clock of its own.
 *
 * <p>{@link #permits()} and {@link #reason()} are read by many threads; the other methods are called by one thread at a
 * time, each call after the one before it.
 */
public interface LimitController {
    /** How many permits there are now; at least 1. */
    int permits();

    /** Why there are that many: one sentence, with its numbers. */
    String reason();

    /** What keeps it from having more. */
    default LimitingFactor held() {
        return LimitingFactor.LOOKING;
    }

    /** Where more in flight gave no more; null when that was not seen. */
    default @Nullable Plateau flat() {
        return null;
    }

    /** How many permits a limit of this target is to start from after a restart; 0 while nothing was measured. */
    default int learned() {
        return 0;
    }

    /**
     * Takes a stretch of load into account. Called when an attempt finishes and the last stretch is over, so at most about
     * every 10 ms, and not at all while nothing finishes.
     */
    void sample(LoadSample sample);

    /**
     * A call found no permit free, and no attempt has finished for a while. Called at most about every 10 ms.
     *
     * @param now the reading of the ticker, in nanoseconds
     * @param refused how many calls found no permit free so far
     */
    default void blocked(long now, long refused) {}

    /**
     * Somebody wants this many permits, whatever is measured.
     *
     * @param permits how many; from now on {@link #permits()}
     * @throws IllegalArgumentException when out of this limit's bounds; nothing has changed then
     */
    default void pin(int permits) {
        throw new IllegalArgumentException("this limit cannot be pinned");
    }

    /**
     * Nobody wants that any more: goes on as it does without, from where it is or from what it was given.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    default void unpin(long now) {}

    /**
     * The breaker has cut the target off: until it is back, samples say nothing about how much it can take.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    default void cutOff(long now) {}

    /**
     * The breaker lets everything through again.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    default void resumed(long now) {}
}
