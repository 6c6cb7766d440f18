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
 * million needs must not be cut. Until {@value #ENOUGH} answers were seen nobody knows, and a minute is allowed. A time
 * limit that was met counts as an answer that took as long, so one that has become too short grows by itself.
 *
 * <p>Safe for many threads; two that come at once at the turn of a window may lose one of its times.
 */
final class AnswerTimes {
    /** What is allowed while nobody knows, and at most, nanoseconds. */
    static final long LONGEST = 60_000_000_000L;

    static final long SHORTEST = 5_000_000_000L;
    static final long ENOUGH = 1_000;
    private static final long WINDOW = 300_000_000_000L;
    private static final int TIMES = 3;

    private volatile long windowAt;
    private volatile long before;
    private volatile long longest;
    private volatile long seen;
    private volatile long allowed = LONGEST;

    AnswerTimes(long now) {
        windowAt = now;
    }

    /**
     * An answer came, or its time limit.
     *
     * @param nanos how long it took
     * @param now the reading of the ticker
     */
    void took(long nanos, long now) {
        if (now - windowAt >= WINDOW) {
            turn(now);
        }
        if (nanos > longest) {
            longest = nanos;
            decide();
        }
        if (seen < ENOUGH) {
            count();
        }
    }

    private synchronized void count() {
        seen++;
        if (seen == ENOUGH) {
            decide();
        }
    }

    private synchronized void turn(long now) {
        if (now - windowAt >= WINDOW) {
            before = now - windowAt >= 2 * WINDOW ? 0 : longest;
            longest = 0;
            windowAt = now;
            decide();
        }
    }

    private void decide() {
        long known = Math.max(before, longest);
        allowed = seen < ENOUGH || known == 0 ? LONGEST : Math.clamp(TIMES * known, SHORTEST, LONGEST);
    }

    /** How long an answer may take, nanoseconds. */
    long allowed() {
        return allowed;
    }

    /** Why, in one sentence. */
    String reason() {
        return seen < ENOUGH
                ? "a minute until " + ENOUGH + " answers were seen; " + seen + " so far"
                : "three times the longest answer of the last minutes, " + Durations.words(rounded())
                        + ", between 5 s and 1 min";
    }

    private long rounded() {
        long known = Math.max(before, longest);
        return known > 10_000_000 ? known / 1_000_000 * 1_000_000 : known / 1_000 * 1_000;
    }
}
