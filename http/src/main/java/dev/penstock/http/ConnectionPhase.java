package dev.penstock.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a client's connection does, since when, and for how long it may. It changes by compare-and-set: either the connection's
 * own thread goes on to the next phase, or somebody cuts the connection, never both. Times are nanoseconds of one clock. Safe
 * for many threads.
 */
final class ConnectionPhase {
    enum Phase {
        /** Nothing of a next request has come. */
        IDLE,
        /** Reading the head of a request. */
        HEAD,
        /** Reading the body of a request. */
        BODY,
        /** In the flow, which has bounds of its own. */
        FLOW,
        /** Writing an answer. */
        ANSWER,
        /** Answered, and to be closed: what still comes in is dropped. */
        LINGER,
        /** Closed, or about to be. */
        CUT
    }

    /** Who sends a body, or reads an answer, slower than so many bytes a second is slow. */
    static final long LEAST_RATE = 64 << 10;

    /** How much a connection is missed that cannot be closed: a transaction of it is under way. */
    static final int MUST_STAY = 4;

    /** Nobody is slow before that time: 1 s. */
    static final long GRACE = 1_000_000_000;

    private record Step(Phase phase, long since, long until) {}

    private final AtomicReference<Step> step;
    /** Bytes of the body, or of the answer, so far. */
    private final AtomicLong moved = new AtomicLong();

    private volatile boolean waiting;
    /** Whether a transaction of it was answered. */
    private volatile boolean served;

    /** That of a new connection, which is idle. */
    ConnectionPhase(long now, Duration time) {
        this.step = new AtomicReference<>(new Step(Phase.IDLE, now, now + time.toNanos()));
    }

    Phase now() {
        return step.get().phase;
    }

    /** Goes on to the next phase; false when the connection was cut. */
    boolean enter(Phase next, long now, Duration time) {
        moved.set(0);
        if (next == Phase.IDLE) {
            served = true;
        }
        return enter(new Step(next, now, now + time.toNanos()));
    }

    /** Gives this phase more time, counted from now; false when the connection was cut. How long it has lasted goes on. */
    boolean renew(long now, Duration time) {
        Step before = step.get();
        return enter(new Step(before.phase, before.since, now + time.toNanos()));
    }

    private boolean enter(Step next) {
        Step before = step.get();
        return before.phase != Phase.CUT && step.compareAndSet(before, next);
    }

    /** Cuts the connection; the phase that it was in, or null when it has just gone on to its next one. */
    @Nullable
    Phase cut(long now) {
        return cut(step.get(), now);
    }

    /** The same for a phase that has lasted too long; null when it has not. */
    @Nullable
    Phase cutIfOverdue(long now) {
        Step current = step.get();
        return current.until - now <= 0 ? cut(current, now) : null;
    }

    private @Nullable Phase cut(Step current, long now) {
        Step cut = new Step(Phase.CUT, now, now + SourceLimits.LAST_WORDS.toNanos());
        return step.compareAndSet(current, cut) ? current.phase : null;
    }

    /** Notes that so many bytes more of the body have come, or of the answer have left. */
    void moved(int bytes) {
        moved.addAndGet(bytes);
    }

    /** Runs work during which it is not the client who is slow. */
    <T, X extends Throwable> T whileWaiting(ScopedValue.CallableOp<T, X> work) throws X {
        waiting = true;
        try {
            return work.call();
        } finally {
            waiting = false;
        }
    }

    /** Until when it may last. */
    long until() {
        return step.get().until;
    }

    /** When it began. */
    long since() {
        return step.get().since;
    }

    /** Whether the connection holds a body in it. */
    boolean holdsBody() {
        Phase phase = now();
        return phase == Phase.BODY || phase == Phase.ANSWER;
    }

    /** Whether the client has sent or read less than {@link #LEAST_RATE} for over {@link #GRACE}. */
    boolean isSlow(long now) {
        long lasts = now - since();
        return lasts > GRACE && !waiting && moved.get() < LEAST_RATE * (lasts / 1e9);
    }

    /** How much the connection would be missed if it were closed, from 0. */
    int missed(long now) {
        return switch (now()) {
            case CUT, FLOW -> MUST_STAY;
            case IDLE -> whenQuick();
            case HEAD, BODY, LINGER -> isSlow(now) ? 0 : whenQuick();
            case ANSWER -> isSlow(now) ? 3 : MUST_STAY;
        };
    }

    /** Clients who only connect, however many, are no reason to close the connection of one who was served before. */
    private int whenQuick() {
        return served ? 2 : 1;
    }
}
