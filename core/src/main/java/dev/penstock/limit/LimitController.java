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
    default Held held() {
        return Held.LOOKING;
    }

    /** Where more in flight gave no more; null when that was not seen. */
    default @Nullable Flat flat() {
        return null;
    }

    /**
     * Takes a stretch of load into account. Called when an attempt finishes and the last stretch is over, so at most about
     * every 10 ms, and not at all while nothing finishes.
     */
    void sample(LoadSample sample);

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
