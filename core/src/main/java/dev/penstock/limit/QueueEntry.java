package dev.penstock.limit;

import dev.penstock.Reservation;
import dev.penstock.Rejected;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One who wants a permit: in line for it, or with it, until it is used, refused or given back.
 *
 * <h2>Design note</h2>
 *
 * <pre>
 *           lock: permit given          compare and set: the call begins
 *   LINED ----------------------> GRANTED ------------------------------> USED
 *     |                              |
 *     | lock: shed, dropped,         | compare and set: never used
 *     | gave up                      v
 *     +-----------> REFUSED        CLOSED <-- lock: given up while in line -- LINED
 * </pre>
 *
 * <p>What is LINED changes only under the queue's lock, and what is GRANTED holds a permit, which one successful
 * compare-and-set takes over: to USED, whose call gives it back, or to CLOSED, whose closer does. So no permit is lost or
 * given back twice, whoever races whom.
 *
 * <p>Safe for many threads.
 */
final class QueueEntry extends UrgencyQueue.Entry implements Reservation {
    enum State {
        LINED,
        GRANTED,
        USED,
        REFUSED,
        CLOSED
    }

    private final WaitQueue queue;
    private final AtomicReference<State> state = new AtomicReference<>(State.LINED);
    private final AtomicReference<@Nullable Thread> claimant = new AtomicReference<>();
    private volatile @Nullable Rejected refusal;
    private boolean waited;
    private long grantedAt;

    QueueEntry(WaitQueue queue, long arrival, long allowed, int urgency) {
        super(arrival, allowed, urgency);
        this.queue = queue;
    }

    boolean isOf(WaitQueue other) {
        return queue == other;
    }

    State state() {
        return state.get();
    }

    /** Makes the calling thread the one that uses this; false when another one is it, or was. */
    boolean claim() {
        return claimant.compareAndSet(null, Thread.currentThread());
    }

    /** Notes that it had to wait. Before it is granted or refused, so whoever sees that sees this too. */
    void waits() {
        waited = true;
    }

    boolean waited() {
        return waited;
    }

    /** Hands it a permit. The time is noted before, so whoever sees the permit sees that too. */
    void grant(long now) {
        grantedAt = now;
        step(State.LINED, State.GRANTED);
    }

    /** The reading at which it was granted. */
    long grantedAt() {
        return grantedAt;
    }

    /** Steps on, and wakes who waits for that; false when it was in another state. */
    boolean step(State from, State to) {
        if (!state.compareAndSet(from, to)) {
            return false;
        }
        LockSupport.unpark(claimant.get());
        return true;
    }

    /** Notes why it is about to be refused. */
    void because(@Nullable Rejected why) {
        refusal = why;
    }

    /** Why it was refused; never null when it was. */
    @Nullable
    Rejected refusal() {
        return refusal;
    }

    @Override
    public void close() {
        queue.giveUp(this);
    }
}
