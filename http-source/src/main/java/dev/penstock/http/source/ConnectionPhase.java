package dev.penstock.http.source;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a client connection, with its start and its time limit. Changes by compare-and-set: either the connection's own
 * thread enters the next phase, or another thread closes the connection, never both. Times are nanoseconds of one clock.
 * Thread-safe.
 */
final class ConnectionPhase {
    enum Phase {
        /** No byte of the next request was received. */
        IDLE,
        /** Reading the head of a request. */
        HEAD,
        /** Reading the body of a request. */
        BODY,
        /** In the flow, which has its own time limits. */
        FLOW,
        /** Writing an answer. */
        ANSWER,
        /** Answered, and about to be closed; received bytes are discarded. */
        LINGER,
        /** Closed, or about to be. */
        CLOSED
    }

    /** A client that sends a body, or reads an answer, with fewer bytes per second is slow: 64 KiB/s. */
    static final long MIN_RATE = 64 << 10;

    /** The eviction cost of a connection that must not be closed, because a transaction is in progress. */
    static final int NOT_EVICTABLE = 4;

    /** No client counts as slow within this time: 1 s. */
    static final long GRACE = 1_000_000_000;

    private record Step(Phase phase, long since, long until) {}

    private final AtomicReference<Step> step;
    /** Bytes of the body, or of the answer, so far. */
    private final AtomicLong transferred = new AtomicLong();

    private volatile boolean waiting;
    /** Whether a request on this connection was answered. */
    private volatile boolean served;

    /** The phase of a new connection, which is idle. */
    ConnectionPhase(long now, Duration time) {
        this.step = new AtomicReference<>(new Step(Phase.IDLE, now, now + time.toNanos()));
    }

    Phase now() {
        return step.get().phase;
    }

    /** Enters the next phase; returns false if the connection was closed. */
    boolean enter(Phase next, long now, Duration time) {
        if (next == Phase.IDLE) {
            served = true;
        }
        boolean entered = enter(new Step(next, now, now + time.toNanos()));
        transferred.set(0); // after the change: the phase that ends must not look slow
        return entered;
    }

    /** Extends the time limit of this phase, counted from now; its start stays. Returns false if the connection was closed. */
    boolean renew(long now, Duration time) {
        Step before = step.get();
        return enter(new Step(before.phase, before.since, now + time.toNanos()));
    }

    private boolean enter(Step next) {
        Step before = step.get();
        return before.phase != Phase.CLOSED && step.compareAndSet(before, next);
    }

    /**
     * Closes the connection unless a transaction is in progress; returns its previous phase, or null if it was not closed. The
     * cost is that of the phase that is closed, so a transaction that begins at the same time goes on.
     */
    @Nullable
    Phase evict(long now) {
        Step current = step.get();
        return evictionCost(current, now) < NOT_EVICTABLE ? close(current, now) : null;
    }

    /** Closes the connection if it holds a body in memory and its client is slow; returns its previous phase, or null. */
    @Nullable
    Phase closeIfSlow(long now) {
        Step current = step.get();
        boolean holdsBody = current.phase == Phase.BODY || current.phase == Phase.ANSWER;
        return holdsBody && isSlow(current, now) ? close(current, now) : null;
    }

    /** Closes the connection if its phase is overdue; returns its previous phase, or null if it was not closed. */
    @Nullable
    Phase closeIfOverdue(long now) {
        Step current = step.get();
        return current.until - now <= 0 ? close(current, now) : null;
    }

    private @Nullable Phase close(Step current, long now) {
        Step closed = new Step(Phase.CLOSED, now, now + HttpSource.Limits.FINAL_ANSWER.toNanos());
        return step.compareAndSet(current, closed) ? current.phase : null;
    }

    /** Records received bytes of the body, or sent bytes of the answer. */
    void transferred(int bytes) {
        transferred.addAndGet(bytes);
    }

    /** Runs work during which the connection waits for this process, not for the client. */
    <T, X extends Throwable> T whileWaiting(ScopedValue.CallableOp<T, X> work) throws X {
        waiting = true;
        try {
            return work.call();
        } finally {
            waiting = false;
        }
    }

    /** The end of its time limit. */
    long until() {
        return step.get().until;
    }

    /** The start of the phase. */
    long since() {
        return step.get().since;
    }

    /** Whether the client has transferred less than {@link #MIN_RATE} for more than {@link #GRACE}. */
    boolean isSlow(long now) {
        return isSlow(step.get(), now);
    }

    private boolean isSlow(Step current, long now) {
        long duration = now - current.since;
        return duration > GRACE && !waiting && transferred.get() < MIN_RATE * (duration / 1e9);
    }

    /** The cost of closing the connection to make room for another: 0 (close first) to {@link #NOT_EVICTABLE}. */
    int evictionCost(long now) {
        return evictionCost(step.get(), now);
    }

    private int evictionCost(Step current, long now) {
        return switch (current.phase) {
            case CLOSED, FLOW -> NOT_EVICTABLE;
            case IDLE -> costIfNotSlow();
            case HEAD, BODY, LINGER -> isSlow(current, now) ? 0 : costIfNotSlow();
            case ANSWER -> isSlow(current, now) ? 3 : NOT_EVICTABLE;
        };
    }

    /** Connections that were never served are closed first, so that a flood of connects does not evict active clients. */
    private int costIfNotSlow() {
        return served ? 2 : 1;
    }
}
