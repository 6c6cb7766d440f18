package dev.penstock.limit.simulate;

import dev.penstock.limit.PureLimit;

/** One transaction on its way through. */
final class Attempt extends PureLimit.Call {
    /** How the target ended it. */
    enum End {
        ANSWERED,
        /** The target has too much to do already. */
        REFUSED,
        /** It failed at once, and it has nothing to do with load. */
        FAILED
    }

    final long arrivedAt;
    final long deadline;
    final double own;
    private final SimulatedFlow flow;
    long sentAt;
    boolean over;

    Attempt(long arrivedAt, long allowed, double own, SimulatedFlow flow) {
        super(arrivedAt, allowed);
        this.arrivedAt = arrivedAt;
        this.deadline = arrivedAt + allowed;
        this.own = own;
        this.flow = flow;
    }

    void ended(End end) {
        flow.ended(this, end);
    }
}
