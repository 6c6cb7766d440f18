package dev.penstock.collapse;

/**
 * Whether callers ask again as soon as they are answered, and how many of them are still to come.
 *
 * <h2>Design note</h2>
 *
 * <p>When a call comes back for k callers, see how long it is until half as many requests have come. If callers do not care,
 * that is k/2 times the mean gap between requests; if they ask again at once, it is next to nothing. The ratio of the two,
 * 1 at most, averaged over calls by how many callers they had, tells one from the other within some 64 callers: it is 0.6
 * or more for random arrivals, and hardly above 0 for callers that come back. Between {@value #TOGETHER} and {@value
 * #APART} it stays with what it thought, for a mind that changes back and forth is worse than either.
 *
 * <p>While callers do come back, each call that returns makes known how many: so a batch need not wait for silence but
 * leaves with the last of them, at no cost. Only when some stay away is there a pause to be waited for: eight mean gaps
 * among those who came, or twice the gap after which a late one was seen to come after all. With that one the others who
 * were missing are expected again: whatever held up one of them, held up all.
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

    /** A call is back, and with it so many callers. */
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
     * Requests came.
     *
     * @param count how many
     * @param before when the last one before them came
     * @param last when the last of them came
     * @param perNano the rate at which requests come by and by
     * @return how many of them nobody expected
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

    /** Whether callers ask again as soon as they are answered. */
    boolean isTogether() {
        return together;
    }

    /** How many callers were answered and have not asked again yet; 0 where they do not do so at once. */
    long due() {
        return due;
    }

    /** How long those who are due may stay away, as of some reading, after the last one came at {@code last}. */
    long patience(long now, long last) {
        return (long) pause - Math.min(now - last, now - lastReturn);
    }

    /** Those who are due stay away: nobody waits for them any more. */
    void giveUp() {
        missing = due;
        due = 0;
    }

    /**
     * A first request comes after a silence.
     *
     * @param silence how long it was
     * @param atMost a longer one would not have been waited for
     */
    void afterSilence(long silence, long atMost) {
        if (missing > 0 && silence <= atMost) {
            pause = Math.max(pause, 2.0 * silence);
            due += missing;
        }
        missing = 0;
    }
}
