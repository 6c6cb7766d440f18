package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import org.jspecify.annotations.Nullable;

/**
 * Who may wait for a permit, and for how long. Pure: it depends on nothing but the numbers given.
 *
 * <h2>Design note</h2>
 *
 * <p>All bounds come from two measured times, that of an answer and that for which a permit is held. By Little's law
 * permits / time held come free each second, so who has n before him waits about (n + 1) x time held / permits. What cannot
 * be served in time by that is not let in: it would only take the time of others, and be told later.
 *
 * <p><b>With a deadline</b> a request may wait until {@value #MARGIN} times an answer's time is left. Times at a target are
 * spread, and around their mean every other would come too late; a third more covers about the 90th percentile of what
 * spreads by a quarter. A permit that is free is given for the mean itself, since it costs nobody else anything.
 *
 * <p><b>Without a deadline</b> it may wait twice the time held, so that waiting and being served take at most three times
 * what being served takes alone: at least {@value #SHORTEST_MS} ms, for shorter waits are the noise of a busy machine, and
 * at most 1 s, past which a person has turned away.
 *
 * <p><b>Standing overload</b> is a line that was never empty for as long as a burst may take, 100 ms to 1 s by the time
 * held. This is the idea of CoDel (RFC 8289: a queue is bad when it stands, not when it is long) in the form in which
 * Facebook's "Fail at Scale" (Maurer, ACM Queue 13(8), 2015) tells it: not empty for 100 ms. Both then cut the time of
 * those who wait, and so reject whole herds after a wait. Here those who wait keep their bounds, and the line takes in no
 * more than it needs: twice what comes free in a hiccup of {@value #HICCUP_MS} ms (schedulers and collectors stop a
 * machine for tens of ms), and at least 4 + 2 sqrt(permits), the spread of arrivals in a system of that size (Halfin and
 * Whitt, 1981). So a freed permit still finds somebody, what is answered has waited 100 ms instead of the whole queue
 * time, and who is rejected hears so at once.
 *
 * @param pinnedNanos the longest wait, as somebody wants it; negative finds itself
 * @param pinnedLength the longest line, as somebody wants it; negative finds itself
 * @param answerNanos how long an answer takes; 0 when not known
 * @param holdNanos how long a permit is held; 0 when not known
 * @param usualInFlight how many were at the target while that was measured
 */
record QueuePolicy(long pinnedNanos, int pinnedLength, long answerNanos, long holdNanos, int usualInFlight) {
    /** The time allowed to a request without a deadline: this, or anything beyond. */
    static final long NO_DEADLINE = Long.MAX_VALUE / 4;

    /** The longest line, unless it is pinned: what 10,000 virtual threads and their requests weigh is some 50 MB. */
    static final int LONGEST = 10_000;

    static final double MARGIN = 1.3;
    static final long SHORTEST_MS = 50;
    static final long HICCUP_MS = 50;
    static final int LENGTH_UNKNOWN = 1_024;

    private static final long MS = 1_000_000;
    private static final long UNKNOWN_NANOS = 500 * MS;
    private static final long LONGEST_NANOS = 1_000 * MS;
    private static final long SHORTEST_STANDING = 100 * MS;

    /** The rules while nothing is measured. */
    static QueuePolicy of(QueueSettings settings) {
        return new QueuePolicy(
                settings.time() == null ? -1 : Durations.nanos(settings.time()),
                settings.length() == null ? -1 : settings.length(),
                0,
                0,
                0);
    }

    /** The rules as of what is measured. */
    QueuePolicy with(ServiceTime time) {
        return new QueuePolicy(pinnedNanos, pinnedLength, time.answerNanos(), time.holdNanos(), time.inFlight());
    }

    /** These bounds, and what others have measured. */
    QueuePolicy measured(QueuePolicy by) {
        return new QueuePolicy(pinnedNanos, pinnedLength, by.answerNanos, by.holdNanos, by.usualInFlight);
    }

    /** The same with another pinned time; negative finds itself. */
    QueuePolicy pinnedTo(long nanos) {
        return new QueuePolicy(nanos, pinnedLength, answerNanos, holdNanos, usualInFlight);
    }

    /** The same with another pinned length; negative finds itself. */
    QueuePolicy pinnedTo(int length) {
        return new QueuePolicy(pinnedNanos, length, answerNanos, holdNanos, usualInFlight);
    }

    /** How long a request without a deadline may wait. */
    long queueNanos() {
        if (pinnedNanos >= 0) {
            return pinnedNanos;
        }
        return holdNanos == 0 ? UNKNOWN_NANOS : Math.clamp(2 * holdNanos, SHORTEST_MS * MS, LONGEST_NANOS);
    }

    /** How much time a request that waits must have left to be worth sending. */
    long neededNanos() {
        return (long) (MARGIN * answerNanos);
    }

    /**
     * How long a request may wait from its arrival on; negative when it cannot make its deadline.
     *
     * @param allowed the time from its arrival to its deadline
     */
    long patience(long allowed) {
        if (allowed >= NO_DEADLINE) {
            return queueNanos();
        }
        long spare = allowed - neededNanos();
        return pinnedNanos < 0 ? spare : Math.min(pinnedNanos, spare);
    }

    /** Why a request leaves the line when its patience is at an end. */
    Rejected.Cause causeAtEnd(long allowed) {
        boolean byDeadline = allowed < NO_DEADLINE && (pinnedNanos < 0 || allowed - neededNanos() < pinnedNanos);
        return byDeadline ? Rejected.Cause.DEADLINE : Rejected.Cause.QUEUE;
    }

    /** Whether there is standing overload once the line was not empty for so long. */
    boolean isStanding(long notEmptyNanos) {
        return notEmptyNanos >= Math.clamp(2 * holdNanos, SHORTEST_STANDING, LONGEST_NANOS);
    }

    /** How many may stand before a request that may wait for so long. */
    int room(int permits, long patience, boolean standing) {
        if (holdNanos == 0 || pinnedLength == 0) {
            return pinnedLength < 0 ? LENGTH_UNKNOWN : pinnedLength;
        }
        if (pinnedLength > 0 && pinnedNanos >= 0 && patience >= pinnedNanos) {
            // Somebody wants that many to wait for that long, whatever the first calls of a cold process suggest.
            return pinnedLength;
        }
        double served = (double) permits * Math.max(0, patience) / holdNanos;
        int most = pinnedLength < 0 ? LONGEST : pinnedLength;
        int calm = (int) Math.clamp(served, 1, most);
        return standing && pinnedLength < 0 ? Math.min(calm, needed(permits)) : calm;
    }

    /** How many have to wait so that a permit that comes free always finds somebody. */
    private int needed(int permits) {
        double inTwoHiccups = 2.0 * permits * HICCUP_MS * MS / holdNanos;
        return (int) Math.ceil(Math.clamp(inTwoHiccups, 4 + 2 * Math.ceil(Math.sqrt(permits)), LONGEST));
    }

    /**
     * Whether to turn a request away when it comes.
     *
     * @param ahead how many wait before it
     * @param permits how many permits there are
     * @param allowed the time from now to its deadline
     * @param standing whether there is standing overload
     * @return why, or null to let it wait
     */
    Rejected.@Nullable Cause refuse(int ahead, int permits, long allowed, boolean standing) {
        if (allowed - neededNanos() < 0) {
            return Rejected.Cause.DEADLINE;
        }
        return ahead >= room(permits, patience(allowed), standing) ? Rejected.Cause.LIMIT : null;
    }

    /** How long it takes to serve so many in line; 0 when not known. */
    long waitNanos(int ahead, int permits) {
        return (long) ((double) ahead * holdNanos / permits);
    }

    /**
     * Whether a request had better not be sent though a permit is free: its time is not enough for an answer. When much
     * less is at the target than while that was measured, an answer may have become quicker, so it is sent; that also keeps
     * a target busy that was too slow only because it had too much to do.
     *
     * @param left the time to its deadline
     * @param inFlight how many permits are out
     */
    boolean isHopeless(long left, int inFlight) {
        return left < answerNanos && (inFlight == 0 ? usualInFlight <= 1 : 2L * inFlight >= usualInFlight);
    }

    /** How long to wait between two hopeless requests that are sent all the same, to learn whether they still are. */
    long trialNanos() {
        return Math.min(answerNanos, LONGEST_NANOS);
    }

    /** Why the queue time is what it is: one sentence. */
    String timeReason() {
        if (pinnedNanos >= 0) {
            return "what waits longer is rejected, cause queue";
        }
        if (holdNanos == 0) {
            return "until it is known how long calls take";
        }
        return "twice the " + Durations.words(holdNanos)
                + " that a permit is held, 50 ms to 1 s; with a deadline, until " + Durations.words(neededNanos())
                + " are left";
    }

    /** Why so many may wait: one sentence. */
    String lengthReason(int permits, boolean standing) {
        if (pinnedLength >= 0) {
            return "what comes when as many wait is rejected, cause limit";
        }
        if (holdNanos == 0) {
            return "until it is known how long calls take";
        }
        return standing
                ? "standing overload: enough for " + permits + " permits, held " + Durations.words(holdNanos)
                        + " each, to find somebody whenever they come free"
                : "what " + permits + " permits, held " + Durations.words(holdNanos) + " each, serve in "
                        + Durations.words(queueNanos());
    }
}
