package dev.penstock.breaker;

import org.jspecify.annotations.Nullable;

/**
 * How long many calls have been out without a single answer. Pure: each look makes a new one.
 *
 * <p>Looks may be far apart. What happened in between is taken for good news: a silence begins at a look that finds many out,
 * and ends at one that finds fewer, or an answer.
 *
 * @param answers how many answers there had been at the last look
 * @param since the look at which it began; null while there is none
 */
record NoAnswer(long answers, @Nullable Long since) {
    /** Before the first look. */
    static final NoAnswer NONE = new NoAnswer(0, null);

    /**
     * Looks again.
     *
     * @param answersNow how many answers there have been
     * @param manyOut whether many calls are out
     * @param now the reading of the ticker
     */
    NoAnswer look(long answersNow, boolean manyOut, long now) {
        if (!manyOut) {
            return new NoAnswer(answersNow, null);
        }
        return since == null || answersNow != answers ? new NoAnswer(answersNow, now) : this;
    }

    /** For how long it has lasted at a reading of the ticker; 0 while there is none. */
    long nanos(long now) {
        return since == null ? 0 : now - since;
    }
}
