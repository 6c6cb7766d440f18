package dev.penstock.dedupe;

import dev.penstock.Ending;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unknown;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The first transaction of a key that is under way in this process, and those that wait for it.
 *
 * <h2>Design note</h2>
 *
 * <p>One field tells how it went; it is set once, and then all who wait are woken. Who comes to wait puts himself in line
 * before he looks at it, so whoever sets it sees him, or he sees that it is set.
 *
 * <p>Who waits until his time is up ends as unknown and not as rejected: the transaction that his key names is under way, so
 * nobody may believe that it was never sent.
 */
final class InFlightKey {
    /** What stands for the ending of one that was never sent. */
    private enum None {
        NEVER_SENT
    }

    private final String fingerprint;
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Object how;
    private volatile @Nullable KeyedCall<?, ?> keyedCall;

    InFlightKey(String fingerprint) {
        this.fingerprint = fingerprint;
    }

    /** Who carries it, from now on. */
    void carriedBy(KeyedCall<?, ?> carrier) {
        keyedCall = carrier;
    }

    /** Who carries it; null for nobody yet. */
    @Nullable
    KeyedCall<?, ?> keyedCall() {
        return keyedCall;
    }

    /** Whether a request is the same, as far as anybody can tell. */
    boolean isSame(String other) {
        return fingerprint.equals(other);
    }

    /**
     * It is over: wakes all who wait.
     *
     * @param ending theirs too; null when it was never sent, so that each may try for himself
     */
    void over(@Nullable Ending ending) {
        how = ending == null ? None.NEVER_SENT : OutcomeCodec.forOthers(ending);
        waiting.forEach(LockSupport::unpark);
    }

    /**
     * Waits, on the caller's thread, until it is over.
     *
     * @return its ending, or unknown when the caller's time is up first; null when it was never sent
     */
    @Nullable
    Ending await(CallContext callContext, Ticker ticker) {
        Thread caller = Thread.currentThread();
        waiting.add(caller);
        try {
            while (how == null) {
                if (caller.isInterrupted()) {
                    return new Unknown(
                            Unknown.Cause.INTERRUPTED,
                            "the caller was interrupted while the first one of its key was under way");
                }
                if (!callContext.hasDeadline()) {
                    LockSupport.park(this);
                } else if (callContext.tick() - callContext.deadline() >= 0) {
                    return new Unknown(
                            Unknown.Cause.TIMEOUT, "the first one of its key is under way, and did not end in time");
                } else {
                    ticker.parkUntil(callContext.deadline());
                }
            }
            return how instanceof Ending ending ? ending : null;
        } finally {
            waiting.remove(caller);
        }
    }
}
