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
 * <pre>
 *           lock: permit granted          compare and set: the call begins
 *   QUEUED ----------------------> GRANTED ------------------------------> USED
 *     |                               |
 *     | lock: shed, timed out,        | compare and set: never used
 *     | interrupted                   v
 *     +-----------> REJECTED        CLOSED <-- lock: closed while waiting -- QUEUED
 * </pre>
 *
 * <p>A QUEUED entry changes only under the queue's lock. A GRANTED entry holds a permit, and exactly one compare-and-set takes
 * it over: to USED, and the call releases it, or to CLOSED, and the closing thread releases it. So no permit is lost or
 * released twice in any race.
 *
 * <p>Thread-safe.
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
    private boolean waited;
    private long grantedAt;

    QueueEntry(WaitQueue queue, long arrival, long allowed, int urgency) {
        super(arrival, allowed, urgency);
        this.queue = queue;
    }

    boolean belongsTo(WaitQueue other) {
        return queue == other;
    }

    State state() {
        return state.get();
    }

    /** Makes the calling thread the user of this entry; false when there is or was another one. */
    boolean claim() {
        return claimant.compareAndSet(null, Thread.currentThread());
    }

    /** Records that it had to wait. Call it before it is granted or rejected, so that it is visible with that state. */
    void markWaited() {
        waited = true;
    }

    boolean waited() {
        return waited;
    }

    /** Grants a permit. The time is set first, so that it is visible with the state. */
    void grant(long now) {
        grantedAt = now;
        transition(State.QUEUED, State.GRANTED);
    }

    /** The reading at which it was granted. */
    long grantedAt() {
        return grantedAt;
    }

    /** Changes the state and wakes the waiting thread; false when it was in another state. */
    boolean transition(State from, State to) {
        if (!state.compareAndSet(from, to)) {
            return false;
        }
        LockSupport.unpark(claimant.get());
        return true;
    }

    /** Sets the reason, before it is rejected. */
    void setRejection(@Nullable Rejected why) {
        rejection = why;
    }

    /** Why it was rejected; not null in state REJECTED. */
    @Nullable
    Rejected rejection() {
        return rejection;
    }

    /**
     * Waits, on the thread that has claimed this entry, until its state is GRANTED, REJECTED or CLOSED. When the thread is
     * interrupted, the entry leaves the queue; the interrupt status stays set.
     */
    void await() {
        while (state() == State.QUEUED) {
            queue.park(this);
        }
    }

    /** Leaves the queue, or releases the permit. Does nothing when it was used, rejected or closed. */
    @Override
    public void close() {
        while (true) {
            switch (state()) {
                case QUEUED -> queue.remove(this, State.CLOSED, null);
                case GRANTED -> {
                    if (transition(State.GRANTED, State.CLOSED)) {
                        queue.release(queue.now());
                    }
                }
                case USED, REJECTED, CLOSED -> {
                    return;
                }
            }
        }
    }
}
