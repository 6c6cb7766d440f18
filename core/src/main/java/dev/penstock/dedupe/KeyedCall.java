package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.CallContext;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.PendingWrites.PendingWrite;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first transaction of a key in this process: looks the key up, calls the next stage, and writes the outcome to the store.
 * The key is claimed once the permit is taken ({@link KeyClaim}). For one use, by the caller's thread; the thread of its batch
 * may call {@link #claim}.
 *
 * <h2>Design note</h2>
 *
 * <p>Once a transaction of a key has ended as unknown, only an answer, or the status "not there", resolves it, as in the
 * retry: however a duplicate ends, the first attempt may have taken effect. So the key is taken over from its owner, which only
 * one process can do, and the unknown ending is written again unless it was resolved.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
final class KeyedCall<Q, R> {
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
    private final KeyClaim claim;

    KeyedCall(Dependencies<Q, R> deps, Q request, String key, String fingerprint, CallContext callContext) {
        this.deps = deps;
        this.request = request;
        this.key = key;
        this.fingerprint = fingerprint;
        this.callContext = callContext;
        this.claim = new KeyClaim(deps, key, fingerprint, callContext);
    }

    /** Whether this is the call of the given request, and not of an older request with its key whose caller has left. */
    @SuppressWarnings("ReferenceEquality") // an equal request may be that older one
    boolean isFor(Object other) {
        return request == other;
    }

    boolean isClaimed() {
        return claim.isClaimed();
    }

    /**
     * Claims the key, unless it is claimed already. Call it once the permit is taken; after it the request may be sent.
     *
     * @param now the context of the calling thread
     * @throws Rejected the request must not be sent
     */
    void claim(CallContext now) throws Rejected {
        claim.claim(now);
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
        Claim known = claim.takeConflict();
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

    private boolean isSame(String other) {
        return fingerprint.equals(other);
    }

    private Outcome refuse() {
        deps.counter.refused.increment();
        return new Outcome(KeyClaim.usedForAnother(), true);
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
        Claim taken = deps.storeClient.takeOver(claim.request(callContext), before, bytes, callContext);
        if (!(taken instanceof Claim.Claimed)) {
            return taken == null ? duplicate(unknown) : null;
        }
        claim.tookOver();
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
            KeyClaim.State before = claim.closeUnlessClaimed();
            return before == KeyClaim.State.CLAIMED
                    ? finish(unknown == null || resolves(ending) ? ending : stillUnknown(unknown, ending), unknown)
                    : unclaimed(ending, before);
        } finally {
            if (!ended && claim.closeUnlessClaimed() == KeyClaim.State.CLAIMED) {
                Unknown thrown =
                        new Unknown(Unknown.Cause.ERROR, "the target threw an exception that is not an ending");
                claim.write(OutcomeCodec.bytes(thrown));
            }
        }
    }

    /** The outcome when the key was never claimed. */
    private @Nullable Outcome unclaimed(Ending ending, KeyClaim.State before) {
        if (before == KeyClaim.State.WAITING && claim.hasConflict()) {
            return null;
        }
        Rejected none = claim.refused();
        if (before == KeyClaim.State.CLAIMING || none != null) {
            return new Outcome(none == null ? KeyClaim.callerLeft() : none, false);
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
            if (deps.storeClient.claim(claim.request(callContext), callContext) instanceof Claim.Claimed) {
                claim.write(bytes);
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
        claim.write(bytes);
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
