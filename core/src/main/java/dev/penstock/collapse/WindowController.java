package dev.penstock.collapse;

import dev.penstock.Durations;
import dev.penstock.collapse.Merging.Call;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when an open batch leaves. Pure: arrivals, returns and times go in, a {@link Window} comes out.
 *
 * <h2>Design note</h2>
 *
 * <p>Let requests come at random, at a rate r. Whoever sends with every n-th of them waits (n - 1) / 2r in the mean, and makes
 * r / n calls; no policy does better than that curve: a wait of w / 2 for 1 / (w + 1/r) calls. It is reached by leaving
 * <em>with a request</em>, never by a timer: the time from the last one to the timer's end is waited by all of them for
 * nothing. So a batch leaves with the n-th, where n is such that it seldom takes longer than the budget, and the budget is
 * only what ends the rare long wait. A rate that is measured is never sure, and a mind that wavers between n and n + 1 is off
 * the curve: n changes only when it is out by a sixth.
 *
 * <p>Is the second request to be expected only beyond the budget, n is 1 and nobody waits at all. Is the budget shorter than
 * a timer can be trusted with, {@value #LEAST_WAIT_NANOS} ns, likewise.
 *
 * <p>Callers who ask again at once are another matter: see {@link Returns} and {@link Merging}.
 *
 * <p>Not safe for many threads.
 */
final class WindowController {
    /** Shorter waits are none: a timer is late by about half of it. */
    static final long LEAST_WAIT_NANOS = 100_000;

    private static final double SURE = 1.3;
    private static final double ROUNDING = 0.4;
    private static final double SIXTH_LESS = 0.83;
    private static final double SIXTH_MORE = 1.2;
    private static final double SILENT_GAPS = 8;
    private static final Window GAP = new Window.Closed(Left.GAP);
    private static final Window FULL = new Window.Closed(Left.FULL);
    private static final Window BUDGET = new Window.Closed(Left.BUDGET);
    private static final Window DEADLINE = new Window.Closed(Left.DEADLINE);

    private final double share;
    private final LongSupplier pinned;
    private final CallTime callTime;
    private final ArrivalRate all = new ArrivalRate();
    private final ArrivalRate unexpected = new ArrivalRate();
    private final Returns returns = new Returns();
    private final Merging merging;
    private int enough = 1;
    private int counted;
    private long openedAt;
    private boolean anyCame;
    private long lastCame;

    /**
     * A controller that has seen nothing.
     *
     * @param share which part of the time of a call may be waited
     * @param pinned how long may be waited, in nanoseconds, in place of that; null for the share
     * @param callTime how long calls take, fed by the one who makes them
     */
    WindowController(double share, @Nullable Duration pinned, CallTime callTime) {
        this(share, callTime, () -> pinned == null ? -1 : Durations.nanos(pinned));
    }

    /**
     * A controller that has seen nothing.
     *
     * @param share which part of the time of a call may be waited
     * @param callTime how long calls take, fed by the one who makes them
     * @param pinned how long may be waited, in nanoseconds, in place of that; negative for the share. May change
     */
    WindowController(double share, CallTime callTime, LongSupplier pinned) {
        this.share = share;
        this.pinned = pinned;
        this.callTime = callTime;
        this.merging = new Merging(callTime);
    }

    /** How long a request may wait, in nanoseconds; 0 for not at all. */
    long budget() {
        long given = pinned.getAsLong();
        long budget = given >= 0 ? given : (long) (share * callTime.mean());
        return budget < LEAST_WAIT_NANOS ? 0 : budget;
    }

    /** A batch was opened by a request that came at this time. There is no other open one. */
    void opened(long now) {
        if (anyCame) {
            returns.afterSilence(now - lastCame, budget());
        }
        merging.opened(now);
        openedAt = now;
        counted = 0;
    }

    /**
     * Whether the open batch leaves.
     *
     * @param count how many requests it has; 1 or more
     * @param last when the last of them came
     * @param full whether it has room for no more
     * @param slack how long the most pressing of them can still wait for an answer; {@code Long.MAX_VALUE} for ever
     */
    Window look(long now, int count, long last, boolean full, long slack) {
        note(count, last);
        if (full) {
            return FULL;
        }
        long budget = budget();
        if (budget == 0) {
            return GAP;
        }
        long left = budget - (now - openedAt);
        if (left <= 0) {
            return BUDGET;
        }
        if (slack < Long.MAX_VALUE) {
            left = Math.min(left, slack - (long) (callTime.mean() + 2 * callTime.deviation()));
            if (left <= 0) {
                return DEADLINE;
            }
        }
        return wait(now, count, last, left, budget);
    }

    private Window wait(long now, int count, long last, long left, long budget) {
        if (returns.due() > 0) {
            merging.stopWaiting(now);
            merging.met();
            long patience = Math.min(left, returns.patience(now, last));
            if (patience > 0) {
                return new Window.Open(now + patience, (int) Math.min(Integer.MAX_VALUE, count + returns.due()));
            }
            returns.giveUp();
        }
        double perNano = returns.isTogether() ? unexpected.perNano() : all.perNano();
        long silence = random(perNano, budget, count, now - last);
        if (silence > 0) {
            return new Window.Open(now + Math.min(left, silence), enough);
        }
        long others = returns.isTogether() ? merging.wait(now, count, left, all.perNano()) : 0;
        return others > 0 ? new Window.Open(now + Math.min(left, others), count + 1) : GAP;
    }

    /** How long to wait for requests that come at random; 0 or less when there are enough, or it has been silent for too long. */
    private long random(double perNano, long budget, int count, long silentFor) {
        double expected = perNano * budget;
        int more = enoughOf(expected * SIXTH_LESS);
        int less = enoughOf(expected * SIXTH_MORE);
        enough = Math.clamp(enough, more, less);
        return count < enough ? (long) (SILENT_GAPS / perNano) - silentFor : 0;
    }

    /** With how many requests a batch leaves when so many are expected within its budget: about one time in ten too many. */
    private static int enoughOf(double expected) {
        return 1 + Math.max(0, (int) Math.min(Collapse.MOST, expected - SURE * Math.sqrt(expected) + ROUNDING));
    }

    private void note(int count, long last) {
        int more = count - counted;
        if (more <= 0) {
            return;
        }
        counted = count;
        long before = anyCame ? lastCame : last;
        double over = Math.max(0, last - before);
        long nobodyExpected = returns.arrived(more, before, last, all.perNano());
        all.add(more, more, over, callTime.mean());
        unexpected.add(nobodyExpected, more, over, callTime.mean());
        lastCame = anyCame && last - lastCame < 0 ? lastCame : last;
        anyCame = true;
    }

    /** The open batch has left with so many requests, the last of which came at {@code last}. */
    Call left(long now, int count, long last) {
        note(count, last);
        return merging.left(now, count);
    }

    /**
     * A call is back.
     *
     * @param count how many requests the open batch has; 0 when there is none
     * @param last when the last of them came
     */
    void returned(long now, Call call, int count, long last) {
        if (count > 0) {
            note(count, last);
        }
        merging.ended(call);
        returns.returned(now, call.callers());
    }

    /** A batch that has left is not sent after all. */
    void notSent(Call call) {
        merging.ended(call);
    }

    /** Whether a call that comes back changes what the open batch waits for. */
    boolean goesByReturns() {
        return returns.isTogether();
    }

    /** How many calls are out. */
    int out() {
        return merging.out();
    }

    /** One sentence on what a batch waits for, with its numbers. */
    String reason() {
        boolean given = pinned.getAsLong() >= 0;
        if (!given && !callTime.isKnown()) {
            return "no call has come back yet, so nobody waits";
        }
        String budget =
                given ? "given" : "%.0f %% of the %s that calls take".formatted(100 * share, words(callTime.mean()));
        return budget + "; " + habit();
    }

    private String habit() {
        if (budget() == 0) {
            return "too short for a timer, so nobody waits";
        }
        if (returns.isTogether()) {
            return "callers ask again once they are answered, so a batch leaves when those of the last one are back";
        }
        double perSecond = all.perNano() * 1e9;
        return enough == 1
                ? "at %.3g requests a second the next one is too far off, so nobody waits".formatted(perSecond)
                : "at %.3g requests a second a batch leaves with %d".formatted(perSecond, enough);
    }

    private static String words(double nanos) {
        return Durations.words(Duration.ofNanos((long) nanos));
    }
}
