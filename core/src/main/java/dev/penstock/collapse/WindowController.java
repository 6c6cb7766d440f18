package dev.penstock.collapse;

import dev.penstock.Durations;
import dev.penstock.collapse.BatchMerging.Call;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides when an open batch leaves. Pure: arrivals, returns and times go in, a {@link WindowDecision} comes out.
 *
 * <h2>Objective</h2>
 *
 * <p>The fewest calls at which the mean time of a caller is within the budget of the shortest possible one. That time is the
 * wait for others, plus the call, which is base + perItem * items + perCall * other calls ({@link CallTimeModel}).
 * Batches smaller than the best size are never sent by intent, since at a saturated target or limit small batches make
 * everybody slower (Nagle, RFC 896; Little's law); nor are batches beyond the size whose items cost more than the budget.
 * {@link Prefer#CALLS} leaves out the cost, {@link Prefer#LATENCY} the budget: see {@link BatchPlan}.
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
 * <p>Callers who ask again at once are another matter: see {@link ReturningCallers} and {@link BatchMerging}.
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
    private static final double LATE_ARRIVALS = 2;
    private static final WindowDecision GAP = new WindowDecision.Closed(SendReason.GAP);
    private static final WindowDecision FULL = new WindowDecision.Closed(SendReason.FULL);
    private static final WindowDecision BUDGET = new WindowDecision.Closed(SendReason.BUDGET);
    private static final WindowDecision DEADLINE = new WindowDecision.Closed(SendReason.DEADLINE);

    private final Prefer prefer;
    private final double share;
    private final LongSupplier pinned;
    private final CallTime callTime;
    private final ArrivalRate all = new ArrivalRate();
    private final ArrivalRate unexpected = new ArrivalRate();
    private final ReturningCallers returns = new ReturningCallers();
    private final BatchMerging merging;
    private volatile BatchPlan plan = BatchPlan.ANY;
    private int enough = 1;
    private int wanted = 1;
    private int counted;
    private long openedAt;
    private boolean anyCame;
    private long lastCame;

    /**
     * A controller that has seen nothing.
     *
     * @param prefer what batches are for
     * @param share which part of the time of a call may be waited
     * @param callTime how long calls take, fed by the one who makes them
     * @param pinned how long may be waited, in nanoseconds, in place of that; negative for the share. May change
     */
    WindowController(Prefer prefer, double share, CallTime callTime, LongSupplier pinned) {
        this.prefer = prefer;
        this.share = share;
        this.pinned = pinned;
        this.callTime = callTime;
        this.merging = new BatchMerging(callTime);
    }

    /** With how many requests a batch is full, as of now; 1 or more. */
    int most() {
        return plan.most();
    }

    /** How long a request may wait, in nanoseconds; 0 for not at all. */
    long budget() {
        long given = pinned.getAsLong();
        long budget = given >= 0 ? given : (long) (share * callTime.mean());
        return budget < LEAST_WAIT_NANOS ? 0 : budget;
    }

    /** As long as it takes to have the least that pays, but no longer than a call: what a given budget never allows. */
    private long patience() {
        long budget = budget();
        if (plan.least() == 1 || pinned.getAsLong() >= 0 || share == 0) {
            return budget;
        }
        long needed = (long) Math.min(callTime.mean(), LATE_ARRIVALS * plan.least() / all.perNano());
        return needed < LEAST_WAIT_NANOS ? budget : Math.max(budget, needed);
    }

    /** A batch was opened by a request that came at this time. There is no other open one. */
    void opened(long now) {
        if (anyCame) {
            returns.afterSilence(now - lastCame, budget());
        }
        plan = BatchPlan.of(prefer, callTime.model().fit(), all.perNano(), share, pinned.getAsLong());
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
    WindowDecision decide(long now, int count, long last, boolean full, long slack) {
        note(count, last);
        if (full) {
            return FULL;
        }
        long patience = patience();
        if (patience == 0) {
            return GAP;
        }
        long left = patience - (now - openedAt);
        if (left <= 0) {
            return BUDGET;
        }
        if (slack < Long.MAX_VALUE) {
            left = Math.min(left, slack - (long) (callTime.mean() + 2 * callTime.deviation()));
            if (left <= 0) {
                return DEADLINE;
            }
        }
        return wait(now, count, last, left);
    }

    private WindowDecision wait(long now, int count, long last, long left) {
        boolean forOthers = prefer != Prefer.LATENCY || plan.least() > 1;
        if (forOthers && returns.due() > 0) {
            merging.stopWaiting(now);
            merging.met();
            long patience = Math.min(left, returns.patience(now, last));
            if (patience > 0) {
                return new WindowDecision.Open(now + patience, (int) Math.min(Integer.MAX_VALUE, count + returns.due()));
            }
            returns.giveUp();
        }
        long budget = budget();
        double perNano = returns.isTogether() && plan.least() == 1 ? unexpected.perNano() : all.perNano();
        wanted = random(perNano * budget);
        long silence = count < wanted ? (long) (SILENT_GAPS / perNano) - (now - last) : 0;
        if (silence > 0) {
            return new WindowDecision.Open(now + Math.min(left, silence), wanted);
        }
        long others = forOthers && returns.isTogether()
                ? merging.wait(now, count, Math.min(left, budget), all.perNano(), plan.most())
                : 0;
        return others > 0 ? new WindowDecision.Open(now + Math.min(left, others), count + 1) : GAP;
    }

    /** How many to wait for, of requests that come at random, when so many are expected within the budget. */
    private int random(double expected) {
        enough = Math.clamp(enough, enoughOf(expected * SIXTH_LESS), enoughOf(expected * SIXTH_MORE));
        return Math.clamp(enough, plan.least(), plan.waits());
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
        return merging.left(now, count, callTime.model().begin());
    }

    /**
     * A call is back.
     *
     * @param answered whether it was answered, so that its time is that of a call
     * @param count how many requests the open batch has; 0 when there is none
     * @param last when the last of them came
     */
    void returned(long now, Call call, boolean answered, int count, long last) {
        callTime.model().end();
        if (answered) {
            // With the size that it left with: it grows with the wait for its permit, which is no cost of items.
            callTime.model().sample(now, now - call.leftAt(), call.callers(), call.others());
        }
        if (count > 0) {
            note(count, last);
        }
        merging.ended(call);
        returns.returned(now, call.callers());
    }

    /** A batch that has left is not sent after all. */
    void notSent(Call call) {
        callTime.model().end();
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
        if (patience() == 0) {
            return "too short for a timer, so nobody waits";
        }
        double perSecond = all.perNano() * 1e9;
        if (plan.least() > 1) {
            return "at %.3g requests a second, batches of %d are the fastest".formatted(perSecond, plan.least());
        }
        if (returns.isTogether()) {
            return "callers ask again once they are answered, so a batch leaves when those of the last one are back";
        }
        return wanted == 1
                ? "at %.3g requests a second the next one is too far off, so nobody waits".formatted(perSecond)
                : "at %.3g requests a second a batch leaves with %d".formatted(perSecond, wanted);
    }

    /** One sentence on what larger batches cost, with its numbers. */
    String cost() {
        CallTimeModel.Fit fit = callTime.model().fit();
        if (prefer == Prefer.CALLS) {
            return "as few calls as the budget allows, whatever a larger batch costs";
        }
        if (!fit.isKnown()) {
            return "no call has come back yet";
        }
        String waits = fit.perCall() == 0
                ? "calls do not wait for each other"
                : "%s more for each other call that is out".formatted(words(fit.perCall()));
        return "a call takes %s and %s an item, and %s: %s"
                .formatted(words(fit.base()), words(fit.perItem()), waits, sizes());
    }

    private String sizes() {
        if (plan.most() == 1) {
            return "each request goes alone, as a second one would cost more than it saves";
        }
        return plan.most() == Collapse.MOST
                ? "larger batches cost nothing"
                : "batches of %d to %d".formatted(plan.least(), plan.most());
    }

    private static String words(double nanos) {
        return Durations.words(Duration.ofNanos((long) nanos));
    }
}
