package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.Collapse;
import dev.penstock.collapse.BatchMerging.Call;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Decides when an open batch is sent. Pure: arrivals, returned calls and times go in, a {@link WindowDecision} comes out.
 *
 * <h2>Objective</h2>
 *
 * <p>Make the fewest calls while the mean latency of a caller exceeds the shortest possible one by no more than the budget.
 * The latency is the wait for other requests plus the call time, which is base + perItem * items + perCall * other calls
 * ({@link CallTimeModel}). Batches smaller than the best size are avoided, because small batches at a saturated target or
 * limit make every caller slower (Nagle, RFC 896; Little's law). Batches whose items cost more than the budget are avoided
 * too; see {@link BatchPlan}.
 *
 * <h2>Design note</h2>
 *
 * <p>Let requests arrive at random at a rate r. Sending a batch with every n-th request costs a mean wait of (n - 1) / 2r and
 * makes r / n calls per unit of time. No policy does better than that curve: a mean wait of w / 2 for 1 / (w + 1/r) calls.
 * The curve is reached by sending <em>when a request arrives</em>, not when a timer expires: between the last arrival and
 * the expiry, all requests wait for nothing. So a batch is sent with its n-th request, where n is chosen such that reaching
 * it seldom takes longer than the budget. The budget only ends the rare long wait. The measured rate is noisy, and
 * alternating between n and n + 1 is off the curve, so n changes only when it is wrong by a sixth.
 *
 * <p>When the second request is expected only after the budget, n is 1 and requests do not wait. The same holds when the
 * budget is below {@value #MIN_WAIT_NANOS} ns, the shortest wait for which a timer is precise enough.
 *
 * <p>{@link ReturningCallers} and {@link BatchMerging} handle closed-loop callers, which send their next request as soon as
 * they are answered. When all of them share each batch, the size of batches never varies, and nothing shows what a request
 * adds to a call. So one batch in {@value #TRIALS} at random is limited to half of the usual size, until that is known.
 *
 * <p>Not safe for many threads.
 */
final class WindowController {
    /** Shorter waits are treated as 0: a timer is late by about half of this. */
    static final long MIN_WAIT_NANOS = 100_000;

    private static final double SAFETY_FACTOR = 1.3;
    private static final double ROUNDING = 0.4;
    private static final double HYSTERESIS_LOW = 0.83;
    private static final double HYSTERESIS_HIGH = 1.2;
    private static final double SILENT_GAPS = 8;
    private static final double LATE_ARRIVALS = 2;
    private static final int TRIALS = 4;
    private static final WindowDecision GAP = new WindowDecision.Closed(SendReason.GAP);
    private static final WindowDecision FULL = new WindowDecision.Closed(SendReason.FULL);
    private static final WindowDecision BUDGET = new WindowDecision.Closed(SendReason.BUDGET);
    private static final WindowDecision DEADLINE = new WindowDecision.Closed(SendReason.DEADLINE);

    private final double share;
    private final LongSupplier pinned;
    private final CallTime callTime;
    private final ArrivalRate all = new ArrivalRate();
    private final ArrivalRate unexpected = new ArrivalRate();
    private final ReturningCallers returns = new ReturningCallers();
    private final BatchMerging merging;
    private final RandomGenerator random = new SplittableRandom(1);
    private volatile BatchPlan plan = BatchPlan.ANY;
    private int enough = 1;
    private int wanted = 1;
    private int counted;
    private long openedAt;
    private boolean anyArrived;
    private long lastArrival;

    /**
     * Creates a controller.
     *
     * @param share the maximum wait as a share of the mean call time
     * @param callTime call times, recorded by the code that makes the calls
     * @param pinned the maximum wait in nanoseconds, which replaces the share; negative: use the share. May change
     */
    WindowController(double share, CallTime callTime, LongSupplier pinned) {
        this.share = share;
        this.pinned = pinned;
        this.callTime = callTime;
        this.merging = new BatchMerging(callTime);
    }

    /** The current maximum number of requests per batch; 1 or more. */
    int maxSize() {
        return plan.maxSize();
    }

    /** The maximum wait of a request for others, in nanoseconds; 0 for none. */
    long budget() {
        long given = pinned.getAsLong();
        long budget = given >= 0 ? given : (long) (share * callTime.mean());
        return budget < MIN_WAIT_NANOS ? 0 : budget;
    }

    /**
     * The maximum wait of the open batch. Without a pinned budget this is long enough to reach the minimum batch size, but at
     * most one call time.
     */
    private long patience() {
        long budget = budget();
        if (plan.minSize() == 1 || pinned.getAsLong() >= 0 || share == 0) {
            return budget;
        }
        long needed = (long) Math.min(callTime.mean(), LATE_ARRIVALS * plan.minSize() / all.perNano());
        return needed < MIN_WAIT_NANOS ? budget : Math.max(budget, needed);
    }

    /** A request that arrived at this time opened a batch. No other batch is open. */
    void opened(long now) {
        if (anyArrived) {
            returns.afterSilence(now - lastArrival, budget());
        }
        plan = BatchPlan.of(callTime.model().fit(), all.perNano(), share, pinned.getAsLong());
        int usual = callTime.model().unprovenSize();
        if (usual > 1 && returns.isTogether() && random.nextInt(TRIALS) == 0) {
            plan = plan.cappedAt(usual / 2);
        }
        merging.opened(now);
        openedAt = now;
        counted = 0;
    }

    /**
     * Decides whether the open batch is sent now.
     *
     * @param count its number of requests; 1 or more
     * @param last when the last of them arrived
     * @param full whether no more requests fit
     * @param slack the time until its earliest deadline, in nanoseconds; {@code Long.MAX_VALUE} for none
     */
    WindowDecision decide(long now, int count, long last, boolean full, long slack) {
        recordArrivals(count, last);
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
        if (returns.due() > 0) {
            merging.stopWaiting(now);
            merging.met();
            long patience = Math.min(left, returns.patience(now, last));
            if (patience > 0) {
                return new WindowDecision.Open(
                        now + patience, (int) Math.min(Integer.MAX_VALUE, count + returns.due()));
            }
            returns.giveUp();
        }
        long budget = budget();
        double perNano = returns.isTogether() && plan.minSize() == 1 ? unexpected.perNano() : all.perNano();
        wanted = targetSize(perNano * budget);
        long silence = count < wanted ? (long) (SILENT_GAPS / perNano) - (now - last) : 0;
        if (silence > 0) {
            return new WindowDecision.Open(now + Math.min(left, silence), wanted);
        }
        long others = returns.isTogether()
                ? merging.wait(now, count, Math.min(left, budget), all.perNano(), plan.maxSize())
                : 0;
        return others > 0 ? new WindowDecision.Open(now + Math.min(left, others), count + 1) : GAP;
    }

    /**
     * The number of requests to wait for, with random arrivals.
     *
     * @param expected the mean number of arrivals within the budget
     */
    private int targetSize(double expected) {
        enough = Math.clamp(enough, sizeFor(expected * HYSTERESIS_LOW), sizeFor(expected * HYSTERESIS_HIGH));
        return Math.clamp(enough, plan.minSize(), plan.maxWaitSize());
    }

    /** The batch size for an expected number of arrivals within the budget; about one batch in ten does not reach it in time. */
    private static int sizeFor(double expected) {
        return 1
                + Math.max(0, (int)
                        Math.min(Collapse.LARGEST_BATCH, expected - SAFETY_FACTOR * Math.sqrt(expected) + ROUNDING));
    }

    private void recordArrivals(int count, long last) {
        int more = count - counted;
        if (more <= 0) {
            return;
        }
        counted = count;
        long before = anyArrived ? lastArrival : last;
        double over = Math.max(0, last - before);
        long unexpectedCount = returns.arrived(more, before, last, all.perNano());
        all.add(more, more, over, callTime.mean());
        unexpected.add(unexpectedCount, more, over, callTime.mean());
        lastArrival = anyArrived && last - lastArrival < 0 ? lastArrival : last;
        anyArrived = true;
    }

    /** The open batch was closed with {@code count} requests, the last of which arrived at {@code last}. */
    Call closed(long now, int count, long last) {
        recordArrivals(count, last);
        return merging.left(now, count, callTime.model().begin());
    }

    /**
     * A call has returned.
     *
     * @param answered whether it was answered; only then its duration is a sample of the call time
     * @param count the number of requests of the open batch; 0 when there is none
     * @param last when the last of them arrived
     */
    void returned(long now, Call call, boolean answered, int count, long last) {
        callTime.model().end();
        if (answered) {
            // The size at closing, not at sending: the batch also grows while it waits for its permit, and the number
            // of items does not cause that wait.
            callTime.model().sample(now, now - call.leftAt(), call.callers(), call.others());
        }
        if (count > 0) {
            recordArrivals(count, last);
        }
        merging.ended(call);
        returns.returned(now, call.callers());
    }

    /** A closed batch is not sent. */
    void notSent(Call call) {
        callTime.model().end();
        merging.ended(call);
    }

    /** Whether a returning call can change the decision about the open batch. */
    boolean dependsOnReturns() {
        return returns.isTogether();
    }

    /** The number of calls in progress. */
    int out() {
        return merging.out();
    }

    /** One sentence on what a batch waits for, with numbers. */
    String reason() {
        boolean given = pinned.getAsLong() >= 0;
        if (!given && !callTime.isKnown()) {
            return "no call has returned yet, so requests do not wait";
        }
        String budget =
                given ? "fixed" : "%.0f %% of the mean call time of %s".formatted(100 * share, format(callTime.mean()));
        return budget + "; " + behavior();
    }

    private String behavior() {
        if (patience() == 0) {
            return "too short for a timer, so requests do not wait";
        }
        double perSecond = all.perNano() * 1e9;
        if (plan.minSize() > 1) {
            return "at %.3g requests/s, batches of %d are the fastest".formatted(perSecond, plan.minSize());
        }
        if (returns.isTogether()) {
            return "callers send their next request once they are answered, so a batch is sent when the callers of the previous"
                    + " batch have returned";
        }
        return wanted == 1
                ? "at %.3g requests/s the next request is expected too late, so requests do not wait"
                        .formatted(perSecond)
                : "at %.3g requests/s, a batch is sent with %d requests".formatted(perSecond, wanted);
    }

    /** One sentence on what larger batches cost, with numbers. */
    String cost() {
        CallTimeModel.Fit fit = callTime.model().fit();
        if (!fit.isKnown()) {
            return "no call has returned yet";
        }
        String waits = fit.perCall() == 0
                ? "concurrent calls do not slow each other down"
                : "%s more per concurrent call".formatted(format(fit.perCall()));
        return "a call takes %s plus %s per request, and %s: %s"
                .formatted(format(fit.base()), format(fit.perItem()), waits, sizes());
    }

    private String sizes() {
        if (plan.maxSize() == 1) {
            return "each request is sent alone, since a second one would cost more than it saves";
        }
        return plan.maxSize() == Collapse.LARGEST_BATCH
                ? "larger batches cost nothing"
                : "batches of %d to %d".formatted(plan.minSize(), plan.maxSize());
    }

    private static String format(double nanos) {
        return Durations.format(Duration.ofNanos((long) nanos));
    }
}
