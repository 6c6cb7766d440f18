package dev.penstock.breaker;

import org.jspecify.annotations.Nullable;

/**
 * A period in which many calls are in flight and none is answered. Immutable.
 *
 * <p>Checks may be far apart. The period begins at a check that finds many calls in flight, and ends at a check that finds
 * fewer, or an answer.
 *
 * @param answers the number of answers at the last check
 * @param since the check at which the period began; null when there is none
 */
record NoAnswer(long answers, @Nullable Long since) {
    /** Before the first check. */
    static final NoAnswer NONE = new NoAnswer(0, null);

    /**
     * The period after another check.
     *
     * @param answersNow the number of answers so far
     * @param manyInFlight whether many calls are in flight
     * @param now the reading of the ticker
     */
    NoAnswer next(long answersNow, boolean manyInFlight, long now) {
        if (!manyInFlight) {
            return new NoAnswer(answersNow, null);
        }
        return since == null || answersNow != answers ? new NoAnswer(answersNow, now) : this;
    }

    /** The duration of the period; 0 when there is none. */
    long nanos(long now) {
        return since == null ? 0 : now - since;
    }
}
