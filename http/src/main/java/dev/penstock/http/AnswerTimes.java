package dev.penstock.http;

import dev.penstock.text.Durations;

/**
 * The adaptive response timeout, with its reason, computed from measured answer times. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>A timeout that is too short turns an answer into an unknown ending, which is expensive. One that is too long only delays a
 * caller, whose deadline still applies. So the timeout is generous and mainly detects dead peers: three times the longest
 * answer of the last 5 to 10 minutes, and at least 5 s. It uses the maximum, not a percentile, because even the slowest answer
 * in a million must not be cut off. Until {@value #MIN_ANSWERS} answers were measured in that time, it is 1 min: one fast answer
 * after a quiet night says nothing about the next. An expired timeout counts as an answer of that duration, so a timeout that
 * has become too short grows.
 *
 * <p>Thread-safe.
 */
final class AnswerTimes {
    /** The initial and the maximum timeout: 60 s, in nanoseconds. */
    static final long MAX = 60_000_000_000L;

    /** The minimum timeout: 5 s, in nanoseconds. */
    static final long MIN = 5_000_000_000L;

    static final long MIN_ANSWERS = 1_000;
    /** 5 min, in nanoseconds. */
    private static final long WINDOW = 300_000_000_000L;

    private static final int FACTOR = 3;
    /** The usual time is that of about so many answers. */
    private static final int USUAL_OF = 16;

    /** A shorter wait for a connection is none: 1 ms. */
    private static final long NO_WAIT = 1_000_000;

    private volatile long windowAt;
    /** Written under the lock; read without it, so that an ordinary answer takes no lock. */
    private volatile Seen before = Seen.NOTHING;

    private volatile Seen now = Seen.NOTHING;
    private volatile long allowed = MAX;
    /** Moving average of the answer times, nanoseconds; 0 before the first. Concurrent updates may be lost. */
    private volatile long usual;

    /**
     * The measurements of a window.
     *
     * @param count number of answers, at most {@link #MIN_ANSWERS}
     * @param longest the longest answer time or expired timeout, nanoseconds
     * @param answer the longest answer time, nanoseconds
     */
    private record Seen(long count, long longest, long answer) {
        static final Seen NOTHING = new Seen(0, 0, 0);

        Seen and(Seen other) {
            return new Seen(
                    Math.min(MIN_ANSWERS, count + other.count),
                    Math.max(longest, other.longest),
                    Math.max(answer, other.answer));
        }
    }

    AnswerTimes(long now) {
        windowAt = now;
    }

    /**
     * Records an answer.
     *
     * @param nanos how long it took
     * @param at the reading of the ticker
     */
    void took(long nanos, long at) {
        long before = usual;
        usual = before == 0 ? nanos : before + (nanos - before) / USUAL_OF;
        if (now.count < MIN_ANSWERS || nanos > now.answer || at - windowAt >= WINDOW) {
            learn(new Seen(1, nanos, nanos), at);
        }
    }

    /**
     * Records an expired timeout.
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
        allowed = both.count < MIN_ANSWERS ? MAX : Math.clamp(FACTOR * both.longest, MIN, MAX);
    }

    /** Whether no answer of the last minutes took this long, so that a silence of this duration is unusual. */
    boolean isUnusual(long nanos) {
        return nanos >= now.and(before).answer;
    }

    /**
     * Whether a call that had to wait for a connection has too little time left for an answer. The next one that does not have to
     * wait is sent, and corrects the usual time.
     */
    boolean isTooLate(long left, long waited) {
        return waited > NO_WAIT && left < usual;
    }

    /** The usual time of an answer, nanoseconds. */
    long usual() {
        return usual;
    }

    /** The current timeout, nanoseconds. */
    long allowed() {
        return allowed;
    }

    /** The reason of the current timeout, one sentence. */
    String reason() {
        Seen both = now.and(before);
        return both.count < MIN_ANSWERS
                ? "1 min until " + MIN_ANSWERS + " answers were measured in the last minutes; " + both.count + " so far"
                : "three times the longest answer of the last minutes, " + Durations.format(rounded(both.longest))
                        + ", between 5 s and 1 min";
    }

    private static long rounded(long nanos) {
        return nanos > 10_000_000 ? nanos / 1_000_000 * 1_000_000 : nanos / 1_000 * 1_000;
    }
}
