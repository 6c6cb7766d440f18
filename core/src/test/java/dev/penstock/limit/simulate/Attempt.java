package dev.penstock.limit.simulate;

import java.util.function.Consumer;

/** One transaction on its way through. */
final class Attempt {
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
    final Consumer<End> whenEnded;
    long sentAt;
    boolean over;

    Attempt(long arrivedAt, long deadline, double own, SimulatedFlow flow) {
        this.arrivedAt = arrivedAt;
        this.deadline = deadline;
        this.own = own;
        this.whenEnded = end -> flow.ended(this, end);
    }
}
