package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/**
 * Decides the number of permits from samples of the load. It has no thread and no clock of its own.
 *
 * <p>{@link #permits()} and {@link #reason()} are read by many threads; the other methods are called by one thread at a time.
 * {@code now} is the reading of the ticker, in nanoseconds.
 */
public interface LimitController {
    /** What keeps a limit from growing. */
    enum LimitingFactor {
        /** A person has set the limit. */
        PINNED,
        /** Throughput still rises, but the limit is at its upper bound. */
        UPPER_BOUND,
        /** More in flight gives no more answers, or fewer. */
        MEASURED,
        /** Not enough has been measured yet. */
        MEASURING
    }

    /**
     * A range in which more in flight gave no more answers.
     *
     * @param from the lowest number in flight with about the best throughput
     * @param at the highest number in flight that was tried recently
     * @param slower how much longer an answer took at {@code at} than at {@code from}, as a fraction: 0.03 for 3 %
     */
    record Plateau(int from, int at, double slower) {}

    /** The current number of permits; at least 1. */
    int permits();

    /** The reason for this number: one sentence, with numbers. */
    String reason();

    /** What keeps the limit from growing. */
    default LimitingFactor limitingFactor() {
        return LimitingFactor.MEASURING;
    }

    /** The range in which more in flight gave no more answers; null when none was seen. */
    default @Nullable Plateau plateau() {
        return null;
    }

    /** The number of permits to start with after a restart; 0 while nothing has been measured. */
    default int learned() {
        return 0;
    }

    /**
     * Takes a sample into account. Called when an attempt finishes and the current sampling interval is over: at most about
     * every 10 ms, and not at all while no attempt finishes.
     */
    void sample(LoadSample sample);

    /**
     * Called when a request finds no permit free and no attempt has finished for a while; at most about every 10 ms.
     *
     * @param blocked the number of requests so far that found no permit free
     */
    default void blocked(long now, long blocked) {}

    /**
     * Starts again from a number of permits: what was measured before does not apply any more.
     *
     * @param reason why: one sentence
     */
    default void restart(int permits, long now, String reason) {}
}
