package dev.penstock.collapse;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a batch waits for the callers of a call still in progress, so that both groups of callers share one batch
 * from then on. Only for closed-loop callers, which send their next request as soon as they are answered: callers that are
 * answered together stay together, so a wait is paid once and saves a call in every round.
 *
 * <h2>Design note</h2>
 *
 * <p>Calls in progress return after about one mean call time, so their return can be predicted. If the next return is within
 * the budget, the batch waits for it. If it is later, a wait of one budget brings the two groups nearer by that time, and
 * after some rounds they meet. Only one group moves at a time, and only the one whose move is cheapest (callers x time): if
 * all groups moved, the distances would not change.
 *
 * <p>Waits may be in vain, because callers may drift apart as fast as they are merged. So waits are charged to a credit
 * account. Initially it holds one call time per caller, enough to merge all of them. Each call restores {@value #INTEREST} of
 * its time. So in the long run these waits add no more than that share to the latency.
 *
 * <p>Not safe for many threads.
 */
final class BatchMerging {
    private static final double INTEREST = 0.002;
    private static final double SLACK = 200_000;
    private static final double OVERDRAFT = 1.5;
    private static final double TIE = 0.99;
    private static final int MOST_COMPARED = 64;
    private static final int NOT = -1;

    /** A batch that is closed, and waits for its permit or is in progress at the target. */
    static final class Call {
        private final int callers;
        private final boolean moving;
        private final long leftAt;
        private final int others;
        private long sentAt;

        private Call(int callers, boolean moving, long leftAt, int others) {
            this.callers = callers;
            this.moving = moving;
            this.leftAt = leftAt;
            this.others = others;
            this.sentAt = leftAt;
        }

        /** When its batch was closed; it may have waited for a permit since. */
        long leftAt() {
            return leftAt;
        }

        /** The number of other calls in progress at that time. */
        int others() {
            return others;
        }

        int callers() {
            return callers;
        }

        /** Records when it was sent. */
        void sent(long now) {
            sentAt = now;
        }

        /** The cost, in callers x time, of delaying its callers until the given time. */
        private double costTo(long other) {
            return (double) callers * (other - sentAt);
        }
    }

    private final CallTime callTime;
    private final Set<Call> out = new LinkedHashSet<>();
    private double spent;
    private long waitingSince;
    private int waiting = NOT;
    private boolean moving;
    private boolean moverIsBack;
    private long movedAt;
    private boolean anyMoved;

    BatchMerging(CallTime callTime) {
        this.callTime = callTime;
    }

    /** A batch was opened. If the group of callers that moves has returned, this batch continues the move. */
    void opened(long now) {
        waiting = NOT;
        moving = moverIsBack && isMoveUnderWay(now);
        moverIsBack = false;
    }

    /**
     * A batch was closed.
     *
     * @param others the number of calls in progress, of all batchers of the target
     */
    Call left(long now, int callers, int others) {
        stopWaiting(now);
        if (moving) {
            movedAt = now;
        }
        Call call = new Call(callers, moving, now, others);
        moving = false;
        out.add(call);
        return call;
    }

    /** A call returned, or is not made. */
    void ended(Call call) {
        out.remove(call);
        moverIsBack |= call.moving;
        spent = Math.max(0, spent - INTEREST * callTime.mean() * call.callers);
    }

    /** The number of calls in progress. */
    int out() {
        return out.size();
    }

    /**
     * How long to wait for callers of calls in progress, in nanoseconds; 0 or less for not at all.
     *
     * @param callers the number of callers that would wait
     * @param left the remaining budget, in nanoseconds
     * @param perNano the arrival rate
     * @param most the maximum size of the merged group
     */
    long wait(long now, int callers, long left, double perNano, int most) {
        double account = Math.max(1, perNano * callTime.mean()) * callTime.mean();
        Call next = next(now);
        if (next == null || callers + next.callers() > most) {
            return 0;
        }
        double ahead = Math.max(0, ahead(next, now));
        long wait = ahead + slack() <= left
                ? waitFor(callers * ahead, ahead, account)
                : move(now, callers * ahead, callers, left, account);
        if (wait > 0 && waiting == NOT) {
            waiting = callers;
            waitingSince = now;
        }
        return wait;
    }

    private long waitFor(double cost, double ahead, double account) {
        boolean goesOn = waiting != NOT;
        return goesOn || spent + cost <= account ? (long) (ahead + slack()) : 0;
    }

    private long move(long now, double cost, int callers, long left, double account) {
        if (moving || waiting != NOT) {
            return spent + (double) callers * left <= OVERDRAFT * account ? left : 0;
        }
        if (isMoveUnderWay(now) || spent + cost > account || !isCheapest(now, cost)) {
            return 0;
        }
        moving = true;
        anyMoved = true;
        movedAt = now;
        return left;
    }

    private boolean isMoveUnderWay(long now) {
        return anyMoved && now - movedAt < 2 * callTime.mean();
    }

    /** Whether no other group could move to the group ahead of it at a lower cost than this one. */
    private boolean isCheapest(long now, double cost) {
        Call before = null;
        int compared = 0;
        for (Call call : out) {
            if (ahead(call, now) + slack() <= 0) {
                continue;
            }
            if (before != null && before.costTo(call.sentAt) < TIE * cost) {
                return false;
            }
            before = call;
            if (++compared == MOST_COMPARED) {
                return true;
            }
        }
        return before == null || before.costTo(now) >= TIE * cost;
    }

    /** Stops the wait, because the callers returned or for another reason, and charges it to the account. */
    void stopWaiting(long now) {
        if (waiting != NOT) {
            spent += (double) waiting * (now - waitingSince);
            waiting = NOT;
        }
    }

    /** The two groups have met; the move is over. */
    void met() {
        if (moving) {
            moving = false;
            anyMoved = false;
        }
    }

    private @Nullable Call next(long now) {
        for (Call call : out) {
            if (ahead(call, now) + slack() > 0) {
                return call;
            }
        }
        return null;
    }

    /** The time until a call is expected to return, in nanoseconds; negative when it is late. */
    private double ahead(Call call, long now) {
        return callTime.mean() - (now - call.sentAt);
    }

    private double slack() {
        return 2 * callTime.deviation() + SLACK;
    }
}
