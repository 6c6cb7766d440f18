package dev.penstock.dedupe;

import dev.penstock.CallContext;
import dev.penstock.Ending;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The first request of a key that is in progress in this process, and the threads that wait for it.
 *
 * <h2>Design note</h2>
 *
 * <p>The field {@code outcome} is set once; then all waiting threads are woken. A thread adds itself to the queue before it
 * reads the field, so either the setter sees the thread, or the thread sees the value.
 *
 * <p>A caller whose deadline passes while it waits ends as unknown, not as rejected: the transaction of its key is in
 * progress, so it must not be reported as never sent.
 */
final class InFlightKey {
    /** The outcome of a request whose ending is not that of the others. */
    private enum None {
        NOT_SHARED
    }

    private final String fingerprint;
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Object outcome;
    private volatile @Nullable KeyedCall<?, ?> keyedCall;
    private volatile @Nullable Unknown unresolved;

    InFlightKey(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    /** Sets the call that executes the transaction. */
    void setKeyedCall(KeyedCall<?, ?> call) {
        keyedCall = call;
    }

    /** The call that executes the transaction; null before it is set. */
    @Nullable
    KeyedCall<?, ?> keyedCall() {
        return keyedCall;
    }

    /** Sets the ending of a request that ended as unknown, before it is complete. */
    void setUnresolved(@Nullable Unknown ending) {
        unresolved = ending;
    }

    /** The unknown ending, which is that of a waiting request without time to resolve it; null for none. */
    @Nullable
    Unknown unresolved() {
        return unresolved;
    }

    /** Whether a request has the same fingerprint. */
    boolean isSame(String other) {
        return fingerprint.equals(other);
    }

    /**
     * Completes it and wakes all waiting threads.
     *
     * @param ending the ending, which waiting requests get too; null so that each may try itself
     */
    void complete(@Nullable Ending ending) {
        outcome = ending == null ? None.NOT_SHARED : OutcomeCodec.forOthers(ending);
        waiting.forEach(LockSupport::unpark);
    }

    /**
     * Waits, on the caller's thread, until it is complete.
     *
     * @return its ending, or unknown when the caller's deadline passes first; null when the caller may try itself
     */
    @Nullable
    Ending await(CallContext callContext, Ticker ticker) {
        Thread caller = Thread.currentThread();
        waiting.add(caller);
        try {
            while (outcome == null) {
                if (caller.isInterrupted()) {
                    return new Unknown(
                            Unknown.Cause.INTERRUPTED,
                            "the caller was interrupted while the first request with this key was in progress");
                }
                if (!callContext.hasDeadline()) {
                    LockSupport.park(this);
                } else if (callContext.tick() - callContext.deadline() >= 0) {
                    return new Unknown(
                            Unknown.Cause.TIMEOUT,
                            "the first request with this key is in progress and did not end in time");
                } else {
                    ticker.parkUntil(callContext.deadline());
                }
            }
            return outcome instanceof Ending ending ? ending : null;
        } finally {
            waiting.remove(caller);
        }
    }
}
