package dev.penstock.collapse;

/**
 * Detects closed-loop callers, which send their next request as soon as they are answered, and counts how many of them have
 * not returned yet.
 *
 * <h2>Design note</h2>
 *
 * <p>When a call returns for k callers, measure the time until k/2 further requests have arrived. With independent arrivals
 * that is k/2 times the mean gap between requests; with closed-loop callers it is almost 0. The ratio of measured to expected
 * time, capped at 1 and averaged over calls weighted by their callers, separates the two within some 64 callers: it is 0.6 or
 * more for random arrivals, and hardly above 0 for closed-loop callers. Between {@value #TOGETHER} and {@value #APART} the
 * previous classification is kept (hysteresis), because alternating is worse than either.
 *
 * <p>With closed-loop callers, each returning call announces how many requests will arrive. So a batch need not wait for a
 * silence: it is sent with the last of them, at no cost. Only when some do not return does the batch wait for a pause: eight
 * mean gaps between those that returned, or twice the longest gap after which a late caller returned. When a late caller
 * returns, the other missing ones are expected again, since the same delay probably affects all of them.
 *
 * <p>Not safe for many threads.
 */
final class ReturningCallers {
    static final double TOGETHER = 0.25;
    static final double APART = 0.5;

    private static final double MEMORY = 64;
    private static final double MOST_WEIGHT = 0.25;
    private static final double LEAST_PAUSE = 200_000;
    private static final double PAUSE_GAPS = 8;
    private static final double PAUSE_KEPT = 1 - 1 / 64.0;

    private double score = 1;
    private boolean together;
    private long due;
    private double pause = LEAST_PAUSE;
    private long missing;
    private long lastReturn;
    private boolean watching;
    private long watchedSince;
    private long callersWatched;
    private long cameSince;

    /** A call has returned for the given number of callers. */
    void returned(long now, int callers) {
        if (watching) {
            callersWatched += callers;
        } else {
            watching = true;
            watchedSince = now;
            callersWatched = callers;
            cameSince = 0;
        }
        lastReturn = now;
        if (together) {
            due += callers;
        }
    }

    /**
     * Records arrivals.
     *
     * @param count their number
     * @param before when the last one before them arrived
     * @param last when the last of them arrived
     * @param perNano the average arrival rate
     * @return how many of them were not expected
     */
    long arrived(long count, long before, long last, double perNano) {
        long unexpected = Math.max(0, count - due);
        if (together && due > 0) {
            double gap = (double) Math.min(last - before, last - lastReturn) / count;
            pause = Math.max(LEAST_PAUSE, Math.max(pause * PAUSE_KEPT, PAUSE_GAPS * gap));
        }
        due = Math.max(0, due - count);
        watch(count, last, perNano);
        return unexpected;
    }

    private void watch(long count, long last, double perNano) {
        cameSince += count;
        if (!watching || 2 * cameSince < callersWatched || perNano == 0) {
            return;
        }
        watching = false;
        double ratio = Math.clamp(perNano * (last - watchedSince) / cameSince, 0, 1);
        score += (ratio - score) * Math.min(MOST_WEIGHT, callersWatched / MEMORY);
        together = score < (together ? APART : TOGETHER);
        due = together ? due : 0;
    }

    /** Whether callers are classified as closed-loop. */
    boolean isTogether() {
        return together;
    }

    /** The number of closed-loop callers that were answered and have not sent their next request yet. */
    long due() {
        return due;
    }

    /** How much longer to wait for callers that are due, in nanoseconds, when the last one arrived at {@code last}. */
    long patience(long now, long last) {
        return (long) pause - Math.min(now - last, now - lastReturn);
    }

    /** Stops expecting the callers that are due. */
    void giveUp() {
        missing = due;
        due = 0;
    }

    /**
     * The first request after a silence has arrived.
     *
     * @param silence its duration
     * @param atMost the longest silence that a batch would wait for
     */
    void afterSilence(long silence, long atMost) {
        if (missing > 0 && silence <= atMost) {
            pause = Math.max(pause, 2.0 * silence);
            due += missing;
        }
        missing = 0;
    }
}
