package dev.penstock.http;

import dev.penstock.Durations;

/**
 * How long an answer may take: the times of answers go in, a time with its reason comes out. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>A time limit that is too short makes an unknown ending out of an answer, and is dear; one that is too long holds a
 * caller back, whom his deadline frees. So this is a wide one, against peers that are gone: three times the longest that
 * was seen in the last five to ten minutes, and at least five seconds. A maximum, not a percentile: what one answer in a
 * million needs must not be cut. Until {@value #ENOUGH} answers were seen in that time nobody knows, and a minute is
 * allowed: one quick answer after a quiet night says nothing of the next. A time limit that was met counts as an answer that
 * took as long, so one that has become too short grows by itself.
 *
 * <p>Safe for many threads.
 */
final class AnswerTimes {
    /** What is allowed while nobody knows, and at most, nanoseconds. */
    static final long LONGEST = 60_000_000_000L;

    static final long SHORTEST = 5_000_000_000L;
    static final long ENOUGH = 1_000;
    private static final long WINDOW = 300_000_000_000L;
    private static final int TIMES = 3;

    private volatile long windowAt;
    /** Written under the lock; read without it, so that an answer that teaches nothing does not wait. */
    private volatile Seen before = Seen.NOTHING;

    private volatile Seen now = Seen.NOTHING;
    private volatile long allowed = LONGEST;

    /**
     * What a window saw.
     *
     * @param count of the answers, at most {@link #ENOUGH}
     * @param longest that was needed or met, nanoseconds
     * @param answer the longest that brought an answer, nanoseconds
     */
    private record Seen(long count, long longest, long answer) {
        static final Seen NOTHING = new Seen(0, 0, 0);

        Seen and(Seen other) {
            return new Seen(
                    Math.min(ENOUGH, count + other.count),
                    Math.max(longest, other.longest),
                    Math.max(answer, other.answer));
        }
    }

    AnswerTimes(long now) {
        windowAt = now;
    }

    /**
     * An answer came.
     *
     * @param nanos how long it took
     * @param at the reading of the ticker
     */
    void took(long nanos, long at) {
        if (now.count < ENOUGH || nanos > now.answer || at - windowAt >= WINDOW) {
            learn(new Seen(1, nanos, nanos), at);
        }
    }

    /**
     * The time limit of an answer was met.
     *
     * @param nanos how long it was
     * @param at the reading of the ticker
     */
    void timedOut(long nanos, long at) {
        learn(new Seen(0, nanos, 0), at);
    }

    private synchronized void learn(Seen one, long at) {
        if (at - windowAt >= WINDOW) {
            before = at - windowAt >= 2 * WINDOW ? Seen.NOTHING : now;
            now = Seen.NOTHING;
            windowAt = at;
        }
        now = now.and(one);
        Seen both = now.and(before);
        allowed = both.count < ENOUGH ? LONGEST : Math.clamp(TIMES * both.longest, SHORTEST, LONGEST);
    }

    /** Whether silence for that long says something: answers of the last minutes did not take as long. */
    boolean isTelling(long nanos) {
        return nanos >= now.and(before).answer;
    }

    /** How long an answer may take, nanoseconds. */
    long allowed() {
        return allowed;
    }

    /** Why, in one sentence. */
    String reason() {
        Seen both = now.and(before);
        return both.count < ENOUGH
                ? "a minute until " + ENOUGH + " answers of the last minutes were seen; " + both.count + " so far"
                : "three times the longest answer of the last minutes, " + Durations.words(rounded(both.longest))
                        + ", between 5 s and 1 min";
    }

    private static long rounded(long nanos) {
        return nanos > 10_000_000 ? nanos / 1_000_000 * 1_000_000 : nanos / 1_000 * 1_000;
    }
}
