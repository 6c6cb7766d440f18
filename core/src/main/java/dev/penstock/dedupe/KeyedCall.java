package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.CallContext;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.PendingWrites.PendingWrite;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first transaction of a key in this process: looks the key up, calls the next stage, claims the key once the permit is
 * taken, and writes the outcome to the store. For one use, by the caller's thread; the thread of its batch may call {@link
 * #claim}.
 *
 * <h2>Design note</h2>
 *
 * <p>Once a transaction of a key has ended as unknown, only an answer, or the status "not there", resolves it, as in the
 * retry: however a duplicate ends, the first attempt may have taken effect. So the key is taken over from its owner, which only
 * one process can do, and the unknown ending is written again unless it was resolved.
 *
 * <p>Caller and batch race for the state. A caller that leaves sets it to CLOSED, unless the key is claimed: then nothing is
 * sent any more, and a claim that is granted later is released. A request is sent only in state CLAIMED.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
final class KeyedCall<Q, R> {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LEASE_WITHOUT_DEADLINE = Duration.ofMinutes(5);
    private static final long FIRST_POLL_NANOS = 20_000_000;
    private static final int MAX_DOUBLINGS = 5;

    /** Collaborators and settings, shared by all calls of a flow. */
    record Dependencies<Q, R>(
            StoreClient storeClient,
            OutcomeCodec codec,
            Duration keep,
            DedupeCounter counter,
            Ticker ticker,
            LongSupplier ownerIds,
            Service<Q, R> next,
            UnknownResolver<Q, R> resolver) {}

    private enum State {
        /** The key is not claimed. */
        WAITING,
        /** The store has been asked for the key and has not answered. */
        CLAIMING,
        /** The key is claimed: the request may be sent, and may have been sent. */
        CLAIMED,
        /** The caller left before the key was claimed. */
        CLOSED
    }

    /**
     * The result of a call.
     *
     * @param ending its ending
     * @param shared whether waiting requests with the same key get this ending too; otherwise each that has time left tries
     *     itself, one after the other
     */
    record Outcome(Ending ending, boolean shared) {}

    private final Dependencies<Q, R> deps;
    private final Q request;
    private final String key;
    private final String fingerprint;
    private final CallContext callContext;
    private final boolean hasDeadline;
    private final long deadline;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile long owner;
    private volatile @Nullable Claim conflict;
    private volatile @Nullable Rejected refused;

    KeyedCall(Dependencies<Q, R> deps, Q request, String key, String fingerprint, CallContext callContext) {
        this.deps = deps;
        this.request = request;
        this.key = key;
        this.fingerprint = fingerprint;
        this.callContext = callContext;
        this.hasDeadline = callContext.hasDeadline();
        this.deadline = callContext.deadline();
        this.owner = deps.ownerIds.getAsLong();
    }

    /** Whether this is the call of the given request, and not of an older request with its key whose caller has left. */
    @SuppressWarnings("ReferenceEquality") // an equal request may be that older one
    boolean isFor(Object other) {
        return request == other;
    }

    boolean isClaimed() {
        return state.get() == State.CLAIMED;
    }

    /**
     * Claims the key, unless it is claimed already. Call it once the permit is taken; after it the request may be sent.
     *
     * @param now the context of the calling thread
     * @throws Rejected the request must not be sent
     */
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
            deps.storeClient.write(new PendingWrite(key, fingerprint, owner, null));
            throw callerLeft();
        }
        deps.counter.first.increment();
        if (hasDeadline && now.now() - deadline >= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before the request was sent");
        }
    }

    private boolean isGranted(CallContext now) throws Rejected {
        PendingWrite pending = deps.storeClient.takePending(key);
        // Reuse the owner of a pending write for this key: if that write arrives now, it must not release this claim.
        owner = pending == null ? deps.ownerIds.getAsLong() : pending.owner();
        Claim claim = deps.storeClient.claim(keyRequest(now), now);
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

    static Rejected notClaimed(Throwable broken) {
        return new Rejected(
                Rejected.Cause.STORE,
                "the key could not be claimed (" + broken + "); nothing was sent",
                Duration.ofSeconds(1),
                broken);
    }

    Outcome run() throws Exception {
        Outcome known = writePending();
        try {
            for (int attempt = 0; known == null; attempt++) {
                known = check(attempt);
            }
        } catch (Rejected never) {
            return new Outcome(never, false);
        }
        return known;
    }

    /**
     * Writes a pending outcome of the key to the store.
     *
     * @return that outcome if the write failed again; otherwise null
     */
    private @Nullable Outcome writePending() {
        PendingWrite pending = deps.storeClient.takePending(key);
        if (pending == null) {
            return null;
        }
        byte[] ending = pending.ending();
        boolean written = deps.storeClient.write(pending);
        return written || ending == null
                ? null
                : isSame(pending.fingerprint()) ? duplicate(deps.codec.ending(ending)) : refuse();
    }

    /** Looks the key up in the store and acts on its state; null to look it up again. */
    private @Nullable Outcome check(int attempt) throws Exception {
        Claim known = conflict;
        conflict = null;
        return switch (known == null ? deps.storeClient.find(key, callContext) : known) {
            case null -> send(null);
            case Claim.Claimed() -> send(null);
            case Claim.Running(String other, Duration left) -> isSame(other) ? awaitElsewhere(attempt, left) : refuse();
            case Claim.Ended(String other, long before, byte[] ending) -> {
                Ending kept = deps.codec.ending(ending);
                yield !isSame(other)
                        ? refuse()
                        : kept instanceof Unknown unknown ? resolve(unknown, before, ending) : duplicate(kept);
            }
            case Claim.Lapsed(String other, long before) -> {
                Unknown lost = new Unknown(
                        Unknown.Cause.ERROR,
                        "the first request with this key was sent, and its process did not record the outcome; not sent again");
                yield isSame(other) ? resolve(lost, before, OutcomeCodec.bytes(lost)) : refuse();
            }
        };
    }

    private KeyRequest keyRequest(CallContext now) {
        Duration lease = hasDeadline
                ? Duration.ofNanos(Math.max(0, deadline - now.now())).plus(MARGIN)
                : LEASE_WITHOUT_DEADLINE;
        return new KeyRequest(key, fingerprint, owner, lease, deps.keep);
    }

    private boolean isSame(String other) {
        return fingerprint.equals(other);
    }

    private Outcome refuse() {
        deps.counter.refused.increment();
        return new Outcome(refusal(), true);
    }

    static Failed refusal() {
        return new Failed(
                Failed.Cause.REFUSED,
                "the key was used for a different request, so this one was not sent; use a new key for each transaction");
    }

    private Outcome duplicate(Ending ending) {
        deps.counter.duplicates.increment();
        return new Outcome(ending, true);
    }

    /** Waits for a transaction in another process, longer each time; null when it may have ended. */
    private @Nullable Outcome awaitElsewhere(int attempt, Duration left) {
        long most = FIRST_POLL_NANOS << Math.min(attempt, MAX_DOUBLINGS);
        long until = callContext.now() + Math.max(1, Math.min(most, Math.min(left.toNanos(), callContext.timeLeft())));
        deps.counter.waiting.increment();
        try {
            while (callContext.tick() - until < 0) {
                if (Thread.currentThread().isInterrupted()) {
                    return new Outcome(
                            new Unknown(
                                    Unknown.Cause.INTERRUPTED,
                                    "the caller was interrupted while a request with the same key was in progress in another"
                                            + " process"),
                            false);
                }
                deps.ticker.parkUntil(until);
            }
        } finally {
            deps.counter.waiting.decrement();
        }
        return callContext.timeLeft() > 0
                ? null
                : new Outcome(
                        new Unknown(
                                Unknown.Cause.TIMEOUT,
                                "a request with the same key is in progress in another process and did not end in time"),
                        false);
    }

    /** Tries to resolve an unknown ending; null when another process took the key over. */
    private @Nullable Outcome resolve(Unknown unknown, long before, byte[] bytes) throws Exception {
        boolean again = deps.resolver.maySendAgain(request);
        if (!again && !deps.resolver.canAsk(request)) {
            return duplicate(unknown);
        }
        Claim claim = deps.storeClient.takeOver(keyRequest(callContext), before, bytes, callContext);
        if (!(claim instanceof Claim.Claimed)) {
            return claim == null ? duplicate(unknown) : null;
        }
        state.set(State.CLAIMED);
        deps.counter.settled.increment();
        if (again) {
            return send(unknown);
        }
        try {
            return finish(new Answered<>(deps.resolver.ask(request, unknown)), unknown);
        } catch (Failed notThere) {
            return send(null);
        } catch (Unknown still) {
            return finish(still, unknown);
        }
    }

    /**
     * Sends the request.
     *
     * @param unknown the unknown ending of an earlier request, which stands unless this call resolves it; null for none
     * @return null when another process had claimed the key, so nothing was sent
     */
    private @Nullable Outcome send(@Nullable Unknown unknown) throws Exception {
        if (callContext.timeLeft() <= 0) {
            Rejected late = new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before the request was sent");
            return isClaimed() ? finish(unknown == null ? late : unknown, unknown) : new Outcome(late, false);
        }
        boolean ended = false;
        try {
            Ending ending = call();
            ended = true;
            State before = closeUnlessClaimed();
            return before == State.CLAIMED
                    ? finish(unknown == null || resolves(ending) ? ending : stillUnknown(unknown, ending), unknown)
                    : unclaimed(ending, before);
        } finally {
            if (!ended && closeUnlessClaimed() == State.CLAIMED) {
                Unknown thrown =
                        new Unknown(Unknown.Cause.ERROR, "the target threw an exception that is not an ending");
                deps.storeClient.write(new PendingWrite(key, fingerprint, owner, OutcomeCodec.bytes(thrown)));
            }
        }
    }

    /** Prevents sending from now on, unless the key is claimed; returns the previous state. */
    private State closeUnlessClaimed() {
        if (conflict != null && state.get() == State.WAITING) {
            return State.WAITING;
        }
        return state.getAndUpdate(now -> now == State.CLAIMED ? now : State.CLOSED);
    }

    /** The outcome when the key was never claimed. */
    private @Nullable Outcome unclaimed(Ending ending, State before) {
        if (before == State.WAITING && conflict != null) {
            return null;
        }
        Rejected none = refused;
        if (before == State.CLAIMING || none != null) {
            return new Outcome(none == null ? callerLeft() : none, false);
        }
        byte[] bytes = deps.codec.bytes(ending);
        if (bytes != null) {
            storeUnclaimed(bytes);
        }
        return new Outcome(ending, !(ending instanceof Rejected));
    }

    /** Stores the ending of a request that was merged with another one, so it ended without being sent. */
    private void storeUnclaimed(byte[] bytes) {
        try {
            if (deps.storeClient.claim(keyRequest(callContext), callContext) instanceof Claim.Claimed) {
                deps.storeClient.write(new PendingWrite(key, fingerprint, owner, bytes));
            }
        } catch (Rejected cannot) {
            deps.counter.unwritten.increment();
        }
    }

    private Ending call() throws Exception {
        try {
            return new Answered<>(deps.next.call(request));
        } catch (Unanswered ending) {
            return ending;
        }
    }

    private static boolean resolves(Ending ending) {
        return ending instanceof Answered
                || (ending instanceof Failed failed && failed.why() == Failed.Cause.NOT_THERE);
    }

    private static Unknown stillUnknown(Unknown unknown, Ending later) {
        Unanswered ending = later instanceof Unanswered unanswered ? unanswered : null;
        String what = ending == null ? "" : ending.ending() + ": " + ending.getMessage();
        return new Unknown(
                unknown.why(),
                unknown.getMessage() + " except for a later request, which ended as " + what,
                ending == null ? unknown.getCause() : ending.getCause());
    }

    private Outcome finish(Ending ending, @Nullable Unknown unknown) {
        byte[] bytes = deps.codec.bytes(ending);
        boolean notThere = ending instanceof Failed failed && failed.why() == Failed.Cause.NOT_THERE;
        if (bytes == null && unknown != null && !notThere) {
            bytes = OutcomeCodec.bytes(unknown);
        }
        deps.storeClient.write(new PendingWrite(key, fingerprint, owner, bytes));
        callContext.tick();
        return new Outcome(ending, isShared(ending));
    }

    /** Not if this caller had too little time, and a waiting one may have more. */
    private boolean isShared(Ending ending) {
        return switch (ending) {
            case Rejected _ -> false;
            case Unknown unknown
            when unknown.why() == Unknown.Cause.TIMEOUT || unknown.why() == Unknown.Cause.INTERRUPTED ->
                !deps.resolver.maySendAgain(request) && !deps.resolver.canAsk(request);
            default -> true;
        };
    }
}
