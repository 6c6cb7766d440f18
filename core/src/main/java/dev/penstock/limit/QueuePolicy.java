package dev.penstock.limit;

import dev.penstock.LiveSetting;
import dev.penstock.Rejected.Cause;
import dev.penstock.text.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may wait for a permit, and for how long. Stateless: it depends only on the given numbers.
 *
 * <h2>Design note</h2>
 *
 * <p>All bounds are derived from two measured times: the time of an answer and the time that a permit is held. By Little's law
 * permits / hold time permits become free each second, so a request with n others ahead of it waits about (n + 1) x hold time
 * / permits. A request that cannot be served in time by this estimate is rejected on arrival: it would only delay others and
 * be rejected later.
 *
 * <p><b>With a deadline</b> a request may wait until {@value #MARGIN} times the answer time is left. Answer times vary, so with
 * only the mean left every other answer would be late; a margin of a third covers about the 90th percentile of times with a
 * spread of a quarter. A free permit is granted if the mean itself is left, since this delays no other request.
 *
 * <p><b>Without a deadline</b> a request may wait 1 s, since users give up after that: a burst, or a pause of the target, is
 * waited for. That nobody waits so long while more requests come than the target can serve is the task of the next rule.
 *
 * <p><b>Standing overload</b> is a queue that has not been empty for longer than a burst takes: 100 ms to 2 s, depending on the
 * hold time. This is the idea of CoDel (RFC 8289: a standing queue is bad, not a long one) in the variant of Facebook's "Fail
 * at Scale" (Maurer, ACM Queue 13(8), 2015): not empty for 100 ms. Both then shorten the time of the waiting requests, and so
 * reject many after a wait. Here these keep their bounds, and the queue only admits what it needs: twice the permits that become
 * free in a pause of {@value #HICCUP_MS} ms (schedulers and garbage collectors stop a machine for tens of ms), and at least 4 + 2
 * sqrt(permits), the spread of arrivals in a system of that size (Halfin and Whitt, 1981). So a freed permit still finds a waiting
 * request, answered requests have waited 100 ms instead of the whole queue time, and rejections are immediate.
 *
 * @param settings the configured or pinned bounds
 * @param answerNanos the time of an answer; 0 when not known
 * @param holdNanos the time that a permit is held; 0 when not known
 * @param usualInFlight the number in flight during that measurement
 */
record QueuePolicy(QueueSettings settings, long answerNanos, long holdNanos, int usualInFlight) {
    /** The time allowed to a request without a deadline: this or more. */
    static final long NO_DEADLINE = Long.MAX_VALUE / 4;

    /** The maximum length of an adaptive queue: 10,000 virtual threads and their requests take about 50 MB. */
    static final int LONGEST = 10_000;

    static final double MARGIN = 1.3;
    static final long HICCUP_MS = 50;
    static final int LENGTH_UNKNOWN = 1_024;

    private static final String UNTIL_MEASURED = "until call times have been measured";
    private static final long MS = 1_000_000;
    private static final long LONGEST_NANOS = 1_000 * MS;
    private static final long LONGEST_STANDING = 2_000 * MS;
    private static final long SHORTEST_STANDING = 100 * MS;

    /** The policy before the first measurement. */
    static QueuePolicy of(QueueSettings settings) {
        return new QueuePolicy(settings, 0, 0, 0);
    }

    /** A copy with new measurements. */
    QueuePolicy with(ServiceTime time) {
        return new QueuePolicy(settings, time.answerNanos(), time.holdNanos(), time.inFlight());
    }

    /** A copy with other bounds. */
    QueuePolicy with(QueueSettings bounds) {
        return new QueuePolicy(bounds, answerNanos, holdNanos, usualInFlight);
    }

    /** The configured or pinned maximum wait; {@link Long#MAX_VALUE} for an adaptive one. */
    private long pinnedNanos() {
        Duration time = settings.time();
        return time == null ? Long.MAX_VALUE : Durations.nanos(time);
    }

    /** The configured or pinned maximum queue length; negative for an adaptive one. */
    private int pinnedLength() {
        Integer length = settings.length();
        return length == null ? -1 : length;
    }

    /** The maximum wait of a request without a deadline. */
    long queueNanos() {
        return settings.time() == null ? LONGEST_NANOS : pinnedNanos();
    }

    /** The time that must be left to a waiting request for it to be sent. */
    long neededNanos() {
        return (long) (MARGIN * answerNanos);
    }

    /** The maximum wait of a request, from its arrival; negative when it cannot meet its deadline. */
    long maxWaitNanos(long allowed) {
        if (allowed >= NO_DEADLINE) {
            return queueNanos();
        }
        // While the time of an answer is unknown, half of the time is kept for it.
        return Math.min(pinnedNanos(), answerNanos == 0 ? allowed / 2 : allowed - neededNanos());
    }

    /** The cause of rejection when the maximum wait has passed. */
    Cause causeOfTimeout(long allowed) {
        return allowed < NO_DEADLINE && allowed - neededNanos() < pinnedNanos() ? Cause.DEADLINE : Cause.QUEUE;
    }

    /** Whether a queue that has not been empty for this time is standing overload. */
    boolean isStanding(long notEmptyNanos) {
        return notEmptyNanos >= Math.clamp(2 * holdNanos, SHORTEST_STANDING, LONGEST_STANDING);
    }

    /** The maximum number of requests ahead of one that may wait for this time. */
    int maxAhead(int permits, long maxWaitNanos, boolean standing) {
        int pinned = pinnedLength();
        if (holdNanos == 0 || pinned == 0) {
            return pinned < 0 ? LENGTH_UNKNOWN : pinned;
        }
        if (pinned > 0 && maxWaitNanos >= pinnedNanos()) {
            // Time and length are both configured: they hold whatever the first calls of a cold process suggest.
            return pinned;
        }
        double served = (double) permits * Math.max(0, maxWaitNanos) / holdNanos;
        int calm = (int) Math.clamp(served, 1, pinned < 0 ? LONGEST : pinned);
        return standing && pinned < 0 ? Math.min(calm, needed(permits)) : calm;
    }

    /** The number of waiting requests that keeps the permits busy. */
    private int needed(int permits) {
        double inTwoHiccups = 2.0 * permits * HICCUP_MS * MS / holdNanos;
        return (int) Math.ceil(Math.clamp(inTwoHiccups, 4 + 2 * Math.ceil(Math.sqrt(permits)), LONGEST));
    }

    /** The cause to reject a request on arrival, with so many ahead of it, or null to let it wait. */
    @Nullable
    Cause rejects(int ahead, int permits, long allowed, boolean standing) {
        if (allowed - neededNanos() < 0) {
            return Cause.DEADLINE;
        }
        return ahead >= maxAhead(permits, maxWaitNanos(allowed), standing) ? Cause.LIMIT : null;
    }

    /** The estimated time to serve a number of waiting requests; 0 when not known. */
    long waitNanos(int ahead, int permits) {
        return (long) ((double) ahead * holdNanos / permits);
    }

    /**
     * Whether the time left is too short for an answer, even if a permit is free. When far fewer calls are in flight than
     * during the measurement, answers may have become faster, so the request is sent; this also keeps a target busy that was
     * slow only because of its load.
     */
    boolean isTooLate(long left, int inFlight) {
        return left < answerNanos && (inFlight == 0 ? usualInFlight <= 1 : 2L * inFlight >= usualInFlight);
    }

    /** Why a request is rejected on arrival when the queue is full: one sentence. */
    String full(int permits, int waiting) {
        String known = holdNanos == 0 ? "" : ", for about " + Durations.format(waitNanos(waiting + 1, permits));
        return "all %d permits are in use and %d requests wait%s".formatted(permits, waiting, known);
    }

    /** Why a request is rejected on arrival when it has too little time left: one sentence. */
    String tooLate(long left) {
        return left <= 0
                ? "the deadline passed before it was sent"
                : "%s are left, but an answer takes about %s"
                        .formatted(Durations.format(left), Durations.format(answerNanos));
    }

    /** The time between two requests that are sent although they look too late, to correct the estimate. */
    long trialNanos() {
        return Math.min(answerNanos, LONGEST_NANOS);
    }

    /** The current maximum time that a request may wait, and its reason. */
    LiveSetting.Now timeBound() {
        boolean pinned = settings.time() != null;
        String measured = answerNanos == 0
                ? "with a deadline, half of it, " + UNTIL_MEASURED
                : "with a deadline, until %s are left".formatted(Durations.format(neededNanos()));
        String why = pinned ? "requests that wait longer are rejected, cause queue" : measured;
        return new LiveSetting.Now(Durations.format(queueNanos()), "0s..1h", why, pinned);
    }

    /** The current maximum number of waiting requests, and its reason. */
    LiveSetting.Now lengthBound(int permits, boolean standing) {
        boolean pinned = settings.length() != null;
        String form = standing
                ? "standing overload: just enough to keep %d permits busy, each held for %s"
                : "as many as %d permits, each held for %s, serve in %s";
        String measured = holdNanos == 0
                ? UNTIL_MEASURED
                : form.formatted(permits, Durations.format(holdNanos), Durations.format(queueNanos()));
        String why = pinned ? "further requests are rejected, cause limit" : measured;
        String length = Integer.toString(maxAhead(permits, queueNanos(), standing));
        return new LiveSetting.Now(length, "0.." + QueueSettings.LONGEST, why, pinned);
    }
}
