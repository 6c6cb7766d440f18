package dev.penstock.collapse;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a batch waits for callers who are still on their way back with another call, so that from then on both groups
 * travel as one. Only for callers who ask again at once: whoever is answered together stays together, and what such a wait
 * costs once it saves for good.
 *
 * <h2>Design note</h2>
 *
 * <p>The calls that are out come back after about as long as calls take, so it is known when. Is the next one within the
 * budget, wait for it. Is it farther off, a wait of one budget brings the two groups nearer by as much, and some rounds
 * later they meet. Only one group moves at a time, and only the one whose move costs least (callers x time), for if all
 * moved, none would come nearer.
 *
 * <p>Waits are paid from an account, for they may come to nothing: callers may drift apart as fast as they are
 * brought together. It holds one call time for each caller at first, enough to bring all of them together; what was spent
 * comes back at {@value #INTEREST} of the time of each call. So in the long run all such waits together add no more than
 * that, whatever happens.
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

    /** A batch that is out. */
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

        /** When its batch left, perhaps to wait for a permit. */
        long leftAt() {
            return leftAt;
        }

        /** How many other calls were out then. */
        int others() {
            return others;
        }

        int callers() {
            return callers;
        }

        /** It was sent only now. */
        void sent(long now) {
            sentAt = now;
        }

        /** What it costs its callers to wait for what is sent, or comes back, at another time. */
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

    /** A batch was opened. It goes on with the move of the one whose callers are back. */
    void opened(long now) {
        waiting = NOT;
        moving = moverIsBack && isMoveUnderWay(now);
        moverIsBack = false;
    }

    /**
     * A batch has left.
     *
     * @param others how many calls are out, of this batcher and others of the same target
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

    /** A batch is back, or is not to be sent after all. */
    void ended(Call call) {
        out.remove(call);
        moverIsBack |= call.moving;
        spent = Math.max(0, spent - INTEREST * callTime.mean() * call.callers);
    }

    /** How many calls are out. */
    int out() {
        return out.size();
    }

    /**
     * How long to wait for others who are on their way back; 0 or less for not at all.
     *
     * @param callers how many would wait
     * @param left how much of the budget they have left
     * @param perNano how many requests come
     * @param most no group larger than that is wanted
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

    /** Whether no group that is out would have it cheaper to move to the one ahead of it; the last one's is this one. */
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

    /** They are back whom it waited for, or it waits no more. */
    void stopWaiting(long now) {
        if (waiting != NOT) {
            spent += (double) waiting * (now - waitingSince);
            waiting = NOT;
        }
    }

    /** The groups have met. */
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

    /** How long it is until a call should be back; negative when it is late. */
    private double ahead(Call call, long now) {
        return callTime.mean() - (now - call.sentAt);
    }

    private double slack() {
        return 2 * callTime.deviation() + SLACK;
    }
}
