package dev.penstock.http.source;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The phase of a request, with its start and its time limit. The monitor of its connection guards it, so that either the next
 * phase begins, or another thread ends the request or its connection, never both. Times are nanoseconds of one clock.
 * Thread-safe.
 */
final class RequestPhase {
    enum Phase {
        /** Reading the body. */
        BODY,
        /** In the flow, which has its own time limits. */
        FLOW,
        /** Writing the answer. */
        ANSWER,
        /** Answered before the end of its body, which is discarded. */
        LINGER,
        ENDED
    }

    /** A client that sends a body, or reads an answer, with fewer bytes per second is slow: 64 KiB/s. */
    static final long MIN_RATE = 64 << 10;

    /** No client counts as slow within this time: 1 s. */
    static final long GRACE = 1_000_000_000;

    /** The eviction cost of a connection that must not be closed, because a transaction is in progress. */
    static final int NOT_EVICTABLE = 4;

    private final Object lock;
    private Phase phase = Phase.BODY;
    private long since;
    private long until;
    /** Bytes of the body, or of the answer, so far. */
    private long transferred;

    private boolean waiting;

    /** A request whose head was received now. */
    RequestPhase(Object lock, long now, Duration time) {
        this.lock = lock;
        this.since = now;
        this.until = now + time.toNanos();
    }

    Phase now() {
        synchronized (lock) {
            return phase;
        }
    }

    boolean is(Phase one) {
        return now() == one;
    }

    /** Enters a later phase; returns false if it is in that phase, or a later one, already. */
    boolean enter(Phase next, long now, Duration time) {
        synchronized (lock) {
            if (phase.compareTo(next) >= 0) {
                return false;
            }
            begin(next, now, time);
            return true;
        }
    }

    private void begin(Phase next, long now, Duration time) {
        phase = next;
        since = now;
        until = now + time.toNanos();
        transferred = 0;
    }

    /** Extends the time limit of this phase, counted from now; its start stays. */
    void renew(long now, Duration time) {
        synchronized (lock) {
            until = now + time.toNanos();
        }
    }

    /**
     * Ends the phase if it is overdue or, on demand, in any case. Nothing ends a transaction in progress. A request whose body
     * is being read enters {@code ANSWER}: the caller answers it.
     *
     * @return the phase that was ended, or null
     */
    @Nullable
    Phase cut(long now, boolean anyway) {
        synchronized (lock) {
            Phase before = phase;
            if (before == Phase.FLOW || before == Phase.ENDED || (!anyway && until - now > 0)) {
                return null;
            }
            begin(before == Phase.BODY ? Phase.ANSWER : before, now, HttpSource.Limits.FINAL_ANSWER);
            return before;
        }
    }

    /** Does the same if the request holds a body in memory and its client is slow. */
    @Nullable
    Phase cutIfSlow(long now) {
        synchronized (lock) {
            boolean holdsBody = phase == Phase.BODY || phase == Phase.ANSWER;
            return holdsBody && isSlow(now) ? cut(now, true) : null;
        }
    }

    /** Records received bytes of the body, or sent bytes of the answer. */
    void transferred(int bytes) {
        synchronized (lock) {
            transferred += bytes;
        }
    }

    /** Whether the request waits for this process, not for the client. */
    void waits(boolean now) {
        synchronized (lock) {
            waiting = now;
        }
    }

    /** Whether the client has transferred less than {@link #MIN_RATE} for more than {@link #GRACE}. */
    boolean isSlow(long now) {
        synchronized (lock) {
            long duration = now - since;
            return duration > GRACE && !waiting && transferred < MIN_RATE * (duration / 1e9);
        }
    }

    /**
     * The cost of ending the request to make room for another: 0 (end first) to {@link #NOT_EVICTABLE}.
     *
     * @param notSlow the cost if its client is not slow
     */
    int evictionCost(long now, int notSlow) {
        synchronized (lock) {
            return switch (phase) {
                case FLOW, ENDED -> NOT_EVICTABLE; // an ended one is about to leave its connection
                case ANSWER -> isSlow(now) ? 3 : NOT_EVICTABLE;
                case BODY, LINGER -> isSlow(now) ? 0 : notSlow;
            };
        }
    }
}
