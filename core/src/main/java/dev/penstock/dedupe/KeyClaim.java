package dev.penstock.dedupe;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Rejected;
import dev.penstock.dedupe.PendingWrites.PendingWrite;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The claim of a key by one {@link KeyedCall}: whether its request may be sent.
 *
 * <h2>Design note</h2>
 *
 * <p>Caller and batch race for the state. A caller that leaves sets it to CLOSED, unless the key is claimed: then nothing is
 * sent any more, and a claim that is granted later is released. A request is sent only in state CLAIMED.
 *
 * <p>Safe for the two threads.
 */
final class KeyClaim {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LEASE_WITHOUT_DEADLINE = Duration.ofMinutes(5);

    enum State {
        /** The key is not claimed. */
        WAITING,
        /** The store has been asked for the key and has not answered. */
        CLAIMING,
        /** The key is claimed: the request may be sent, and may have been sent. */
        CLAIMED,
        /** The caller left before the key was claimed. */
        CLOSED
    }

    private final KeyedCall.Dependencies<?, ?> deps;
    private final String key;
    private final String fingerprint;
    private final boolean hasDeadline;
    private final long deadline;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile long owner;
    private volatile @Nullable Claim conflict;
    private volatile @Nullable Rejected refused;

    KeyClaim(KeyedCall.Dependencies<?, ?> deps, String key, String fingerprint, CallContext callContext) {
        this.deps = deps;
        this.key = key;
        this.fingerprint = fingerprint;
        this.hasDeadline = callContext.hasDeadline();
        this.deadline = callContext.deadline();
        this.owner = deps.ownerIds().getAsLong();
    }

    boolean isClaimed() {
        return state.get() == State.CLAIMED;
    }

    /** See {@link KeyedCall#claim}. */
    void claim(CallContext now) throws Rejected {
        if (isClaimed()) {
            return;
        }
        if (!state.compareAndSet(State.WAITING, State.CLAIMING)) {
            throw callerLeft();
        }
        refused = null;
        boolean granted = false;
        try {
            if (hasDeadline) {
                now.allowAtMost(deadline - now.now());
            }
            granted = isGranted(now);
        } catch (Rejected none) {
            refused = none;
            throw none;
        } finally {
            if (!granted) {
                state.compareAndSet(State.CLAIMING, State.WAITING);
            }
        }
        if (!state.compareAndSet(State.CLAIMING, State.CLAIMED)) {
            write(null);
            throw callerLeft();
        }
        deps.counter().first.increment();
        if (hasDeadline && now.now() - deadline >= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before the request was sent");
        }
    }

    private boolean isGranted(CallContext now) throws Rejected {
        PendingWrite pending = deps.storeClient().takePending(key);
        // Reuse the owner of a pending write for this key: if that write arrives now, it must not release this claim.
        owner = pending == null ? deps.ownerIds().getAsLong() : pending.owner();
        Claim claim = deps.storeClient().claim(request(now), now);
        if (claim instanceof Claim.Claimed) {
            return true;
        }
        conflict = claim;
        // Cause DEADLINE prevents a retry inside the flow: the state of the key in the store decides what to do.
        throw new Rejected(Rejected.Cause.DEADLINE, "another process has claimed the key");
    }

    /** The ending of a request that is not sent because its caller has left. */
    static Rejected callerLeft() {
        return new Rejected(Rejected.Cause.DEADLINE, "the caller left before the key was claimed; nothing was sent");
    }

    static Rejected failed(Throwable broken) {
        return new Rejected(
                Rejected.Cause.STORE,
                "the key could not be claimed (" + broken + "); nothing was sent",
                Duration.ofSeconds(1),
                broken);
    }

    /** The ending of a request whose key was used for another one. */
    static Failed usedForAnother() {
        return new Failed(
                Failed.Cause.REFUSED,
                "the key was used for a different request (path, body or credentials), so this one was not sent;"
                        + " use a new key for each transaction, or dedupe.per if several callers use the same keys");
    }

    /** The key has been taken over from its previous owner, so it is claimed. */
    void tookOver() {
        state.set(State.CLAIMED);
    }

    /** Prevents sending from now on, unless the key is claimed; returns the previous state. */
    State closeUnlessClaimed() {
        if (conflict != null && state.get() == State.WAITING) {
            return State.WAITING;
        }
        return state.getAndUpdate(now -> now == State.CLAIMED ? now : State.CLOSED);
    }

    boolean hasConflict() {
        return conflict != null;
    }

    /** The claim of another process that made the last attempt fail; null for none, and from then on. */
    @Nullable
    Claim takeConflict() {
        Claim known = conflict;
        conflict = null;
        return known;
    }

    /** Why the last attempt to claim the key was rejected; null if it was not. */
    @Nullable
    Rejected refused() {
        return refused;
    }

    /** What the store is asked for. */
    KeyRequest request(CallContext now) {
        Duration lease = hasDeadline
                ? Duration.ofNanos(Math.max(0, deadline - now.now())).plus(MARGIN)
                : LEASE_WITHOUT_DEADLINE;
        return new KeyRequest(key, fingerprint, owner, lease, deps.keep());
    }

    /**
     * Writes the outcome of the key to the store, now or later.
     *
     * @param ending null when nothing was sent, so the key is released
     */
    void write(byte @Nullable [] ending) {
        deps.storeClient().write(new PendingWrite(key, fingerprint, owner, ending));
    }
}
