package dev.penstock.limit;

import dev.penstock.CallContext.Reservation;
import dev.penstock.Rejected;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A request for a permit, from its arrival until the permit is used, rejected or released.
 *
 * <h2>Design note</h2>
 *
 * <pre>{@code
 *           lock: permit granted          compare and set: the call begins
 *   QUEUED ----------------------> GRANTED ------------------------------> USED
 *     |                               |
 *     | lock: shed, timed out,        | compare and set: never used
 *     | interrupted                   v
 *     +-----------> REJECTED        CLOSED <-- lock: closed while waiting -- QUEUED
 * }</pre>
 *
 * <p>A QUEUED entry changes only under the queue's lock. A GRANTED entry holds a permit, and exactly one compare-and-set takes
 * it over: to USED, and the call releases it, or to CLOSED, and the closing thread releases it. So no permit is lost or
 * released twice in any race. Thread-safe.
 */
final class QueueEntry extends UrgencyQueue.Entry implements Reservation {
    enum State {
        QUEUED,
        GRANTED,
        USED,
        REJECTED,
        CLOSED
    }

    private final WaitQueue queue;
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final AtomicReference<@Nullable Thread> claimant = new AtomicReference<>();
    private volatile @Nullable Rejected rejection;
    // These two are visible with the state.
    private boolean waited = true;
    private long grantedAt;

    QueueEntry(WaitQueue queue, long arrival, long allowed, int urgency) {
        this(queue, arrival, allowed, urgency, UrgencyQueue.ONE_CALLER);
    }

    QueueEntry(WaitQueue queue, long arrival, long allowed, int urgency, Object caller) {
        super(arrival, allowed, urgency, caller);
        this.queue = queue;
    }

    State state() {
        return state.get();
    }

    /** Makes the calling thread its user. False for an entry of another queue, and for one that was used or closed. */
    boolean claim(WaitQueue by) {
        return queue == by && claimant.compareAndSet(null, Thread.currentThread()) && state() != State.CLOSED;
    }

    /** Whether it had to wait for its permit or rejection. */
    boolean waited() {
        return waited;
    }

    /** Gets a permit that was free when it arrived. */
    void grantAtOnce() {
        waited = false;
        grant(arrival);
    }

    /** Gets a permit. */
    void grant(long now) {
        grantedAt = now;
        transition(State.QUEUED, State.GRANTED);
    }

    /** The reading at which it was granted. */
    long grantedAt() {
        return grantedAt;
    }

    /** Has left the queue without a permit: rejected, or closed if there is no reason. */
    void end(@Nullable Rejected why) {
        rejection = why;
        transition(State.QUEUED, why == null ? State.CLOSED : State.REJECTED);
    }

    /** Why it was rejected; not null in state REJECTED. */
    @Nullable
    Rejected rejection() {
        return rejection;
    }

    /** Changes the state and wakes the waiting thread; false when it was in another state. */
    boolean transition(State from, State to) {
        if (!state.compareAndSet(from, to)) {
            return false;
        }
        LockSupport.unpark(claimant.get());
        return true;
    }

    /**
     * Waits, on the only thread that uses this entry, until its state is GRANTED, REJECTED or CLOSED. When the thread is
     * interrupted, the entry leaves the queue; the interrupt status stays set.
     */
    void await() {
        claimant.compareAndSet(null, Thread.currentThread());
        while (state() == State.QUEUED) {
            queue.park(this);
        }
    }

    /** Leaves the queue, or releases the permit. Does nothing when it was used, rejected or closed. */
    @Override
    public void close() {
        if (state() == State.QUEUED) {
            queue.leave(this, null);
        }
        if (transition(State.GRANTED, State.CLOSED)) {
            queue.release();
        }
    }
}
