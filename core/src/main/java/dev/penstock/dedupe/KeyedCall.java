package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.PendingWrites.Debt;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The first transaction of a key in this process: looks the key up, goes towards the target, claims the key when its permit is
 * taken, and tells the ledger what came of it. For one use, by the caller's thread, and by that of its batch for the claim.
 *
 * <h2>Design note</h2>
 *
 * <p>Once one of a key ended as unknown, only an answer, or the word that it is not there, ends the doubt, as in the retry:
 * whatever comes of sending it again, the first may have taken effect. So the key is taken over from its owner, which only
 * one of all can, and the doubt is written down again unless it is resolved.
 *
 * <p>Caller and batch race for the state. A caller who leaves closes it, unless the key is claimed: then nothing is sent any
 * more, and a claim that is granted later is given back. Only what is CLAIMED may be sent.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
final class KeyedCall<Q, R> {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LEASE_WITHOUT_DEADLINE = Duration.ofMinutes(5);
    private static final long FIRST_LOOK_NANOS = 20_000_000;
    private static final int MOST_DOUBLINGS = 5;

    /** What it is asked for with, the same for all of a flow. */
    record Means<Q, R>(
            StoreClient storeClient,
            OutcomeCodec kept,
            Duration keep,
            DedupeCounter tally,
            Ticker ticker,
            LongSupplier owners,
            Service<Q, R> next,
            UnknownResolver<Q, R> doubt) {}

    private enum State {
        /** Nothing is claimed. */
        WAITING,
        /** The ledger has not granted or refused the key yet. */
        CLAIMING,
        /** The key is its own: it may be sent, and may have been. */
        CLAIMED,
        /** The caller has left before the key was claimed. */
        CLOSED
    }

    /**
     * How it went.
     *
     * @param ending its ending
     * @param forAll whether it is the ending of all that wait for it; else each may try for himself
     */
    record Outcome(Ending ending, boolean forAll) {}

    private final Means<Q, R> means;
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

    KeyedCall(Means<Q, R> means, Q request, String key, String fingerprint, CallContext callContext) {
        this.means = means;
        this.request = request;
        this.key = key;
        this.fingerprint = fingerprint;
        this.callContext = callContext;
        this.hasDeadline = callContext.hasDeadline();
        this.deadline = callContext.deadline();
        this.owner = means.owners.getAsLong();
    }

    /** Whether this is the request itself, and not an older one of its key whose caller has left. */
    @SuppressWarnings("ReferenceEquality") // an equal one may be that older one
    boolean carries(Object other) {
        return request == other;
    }

    boolean isClaimed() {
        return state.get() == State.CLAIMED;
    }

    /**
     * Claims the key, unless it is claimed already. To be called when the permit is taken; then it may be sent.
     *
     * @param now the transit of the calling thread
     * @throws Rejected it must not be sent
     */
    void claim(CallContext now) throws Rejected {
        if (isClaimed()) {
            return;
        }
        if (!state.compareAndSet(State.WAITING, State.CLAIMING)) {
            throw gone();
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
            means.storeClient.tell(new Debt(key, fingerprint, owner, null));
            throw gone();
        }
        means.tally.first.increment();
        if (hasDeadline && now.now() - deadline >= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the time was up before it was sent, with its key");
        }
    }

    private boolean isGranted(CallContext now) throws Rejected {
        Debt debt = means.storeClient.debt(key);
        // The pending write of an earlier try, if sent just now, must not take the key from this one.
        owner = debt == null ? means.owners.getAsLong() : debt.owner();
        Claim claim = means.storeClient.claim(ask(now), now);
        if (claim instanceof Claim.Claimed) {
            return true;
        }
        conflict = claim;
        // No repeat inside of the flow: what to do is decided by what the ledger said.
        throw new Rejected(Rejected.Cause.DEADLINE, "its key is that of another process");
    }

    /** The ending of what is not sent since its caller has left. */
    static Rejected gone() {
        return new Rejected(Rejected.Cause.DEADLINE, "its caller left before its key was claimed; nothing was sent");
    }

    static Rejected notClaimed(Throwable broken) {
        return new Rejected(
                Rejected.Cause.POOL,
                "the key could not be claimed (" + broken + "); nothing was sent",
                Duration.ofSeconds(1),
                broken);
    }

    Outcome run() throws Exception {
        Outcome known = settleDebt();
        try {
            for (int look = 0; known == null; look++) {
                known = look(look);
            }
        } catch (Rejected never) {
            return new Outcome(never, false);
        }
        return known;
    }

    /** Pays what is owed for the key; what was known and not written down is told even if it still cannot be. */
    private @Nullable Outcome settleDebt() {
        Debt debt = means.storeClient.debt(key);
        if (debt == null) {
            return null;
        }
        byte[] ending = debt.ending();
        boolean told = means.storeClient.tell(debt);
        return told || ending == null
                ? null
                : isSame(debt.fingerprint()) ? repeat(means.kept.ending(ending)) : refuse();
    }

    /** Looks how the key stands, and does what is to be done; null to look again. */
    private @Nullable Outcome look(int look) throws Exception {
        Claim known = conflict;
        conflict = null;
        return switch (known == null ? means.storeClient.find(key, callContext) : known) {
            case null -> send(null);
            case Claim.Claimed() -> send(null);
            case Claim.Running(String other, Duration left) -> isSame(other) ? awaitElsewhere(look, left) : refuse();
            case Claim.Ended(String other, long before, byte[] ending) -> {
                Ending kept = means.kept.ending(ending);
                yield !isSame(other)
                        ? refuse()
                        : kept instanceof Unknown unknown ? resolve(unknown, before, ending) : repeat(kept);
            }
            case Claim.Lapsed(String other, long before) -> {
                Unknown lost = new Unknown(
                        Unknown.Cause.ERROR,
                        "the first one of this key was sent, and its process told nobody what became of it; not sent again");
                yield isSame(other) ? resolve(lost, before, OutcomeCodec.bytes(lost)) : refuse();
            }
        };
    }

    private KeyRequest ask(CallContext now) {
        Duration lease = hasDeadline
                ? Duration.ofNanos(Math.max(0, deadline - now.now())).plus(MARGIN)
                : LEASE_WITHOUT_DEADLINE;
        return new KeyRequest(key, fingerprint, owner, lease, means.keep);
    }

    private boolean isSame(String other) {
        return fingerprint.equals(other);
    }

    private Outcome refuse() {
        means.tally.refused.increment();
        return new Outcome(refusal(), true);
    }

    static Failed refusal() {
        return new Failed(
                Failed.Cause.REFUSED,
                "its key belongs to another request, so it was not sent; give each transaction a key of its own");
    }

    private Outcome repeat(Ending ending) {
        means.tally.repeated.increment();
        return new Outcome(ending, true);
    }

    /** Waits a little, and longer each time, for one in another process; null when it may have ended. */
    private @Nullable Outcome awaitElsewhere(int look, Duration left) {
        long most = FIRST_LOOK_NANOS << Math.min(look, MOST_DOUBLINGS);
        long until = callContext.now() + Math.max(1, Math.min(most, Math.min(left.toNanos(), callContext.timeLeft())));
        means.tally.waiting.increment();
        try {
            while (callContext.tick() - until < 0) {
                if (Thread.currentThread().isInterrupted()) {
                    return new Outcome(
                            new Unknown(
                                    Unknown.Cause.INTERRUPTED,
                                    "the caller was interrupted while one of its key was under way elsewhere"),
                            false);
                }
                means.ticker.parkUntil(until);
            }
        } finally {
            means.tally.waiting.decrement();
        }
        return callContext.timeLeft() > 0
                ? null
                : new Outcome(
                        new Unknown(
                                Unknown.Cause.TIMEOUT,
                                "one of its key is under way in another process, and did not end in time"),
                        false);
    }

    /** Does what can be done about an ending that is unknown; null when somebody else does. */
    private @Nullable Outcome resolve(Unknown unknown, long before, byte[] bytes) throws Exception {
        boolean again = means.doubt.maySendAgain(request);
        if (!again && !means.doubt.canAsk(request)) {
            return repeat(unknown);
        }
        Claim claim = means.storeClient.takeOver(ask(callContext), before, bytes, callContext);
        if (!(claim instanceof Claim.Claimed)) {
            return claim == null ? repeat(unknown) : null;
        }
        state.set(State.CLAIMED);
        means.tally.settled.increment();
        if (again) {
            return send(unknown);
        }
        try {
            return over(new Answered<>(means.doubt.ask(request, unknown)), unknown);
        } catch (Failed notThere) {
            return send(null);
        } catch (Unknown still) {
            return over(still, unknown);
        }
    }

    /**
     * Sends it.
     *
     * @param unknown the ending of an earlier one that stays in doubt unless this one resolves it; null for none
     * @return null when its key turned out to be that of another process, so that nothing was sent
     */
    private @Nullable Outcome send(@Nullable Unknown unknown) throws Exception {
        if (callContext.timeLeft() <= 0) {
            Rejected late = new Rejected(Rejected.Cause.DEADLINE, "the time was up before it was sent, with its key");
            return isClaimed() ? over(unknown == null ? late : unknown, unknown) : new Outcome(late, false);
        }
        boolean ended = false;
        try {
            Ending ending = call();
            ended = true;
            State then = leave();
            return then == State.CLAIMED
                    ? over(unknown == null || resolves(ending) ? ending : still(unknown, ending), unknown)
                    : unclaimed(ending, then);
        } finally {
            if (!ended && leave() == State.CLAIMED) {
                Unknown thrown = new Unknown(Unknown.Cause.ERROR, "what the target threw tells nothing");
                means.storeClient.tell(new Debt(key, fingerprint, owner, OutcomeCodec.bytes(thrown)));
            }
        }
    }

    /** Sees to it that nothing is sent any more unless its key is claimed; tells the state before. */
    private State leave() {
        if (conflict != null && state.get() == State.WAITING) {
            return State.WAITING;
        }
        return state.getAndUpdate(now -> now == State.CLAIMED ? now : State.CLOSED);
    }

    /** What came of it when its key was never claimed. */
    private @Nullable Outcome unclaimed(Ending ending, State then) {
        if (then == State.WAITING && conflict != null) {
            return null;
        }
        Rejected none = refused;
        if (then == State.CLAIMING || none != null) {
            return new Outcome(none == null ? gone() : none, false);
        }
        byte[] bytes = means.kept.bytes(ending);
        if (bytes != null) {
            keepAnyway(bytes);
        }
        return new Outcome(ending, !(ending instanceof Rejected));
    }

    /** It was not sent itself, and yet it has an ending to keep: that of another one which asks for the same. */
    private void keepAnyway(byte[] bytes) {
        try {
            if (means.storeClient.claim(ask(callContext), callContext) instanceof Claim.Claimed) {
                means.storeClient.tell(new Debt(key, fingerprint, owner, bytes));
            }
        } catch (Rejected cannot) {
            means.tally.unwritten.increment();
        }
    }

    private Ending call() throws Exception {
        try {
            return new Answered<>(means.next.call(request));
        } catch (Unanswered ending) {
            return ending;
        }
    }

    private static boolean resolves(Ending ending) {
        return ending instanceof Answered
                || (ending instanceof Failed failed && failed.why() == Failed.Cause.NOT_THERE);
    }

    private static Unknown still(Unknown unknown, Ending later) {
        Unanswered ending = later instanceof Unanswered unanswered ? unanswered : null;
        String what = ending == null ? "" : ending.ending() + ": " + ending.getMessage();
        return new Unknown(
                unknown.why(),
                unknown.getMessage() + " but once, which " + what,
                ending == null ? unknown.getCause() : ending.getCause());
    }

    private Outcome over(Ending ending, @Nullable Unknown unknown) {
        byte[] bytes = means.kept.bytes(ending);
        boolean notThere = ending instanceof Failed failed && failed.why() == Failed.Cause.NOT_THERE;
        if (bytes == null && unknown != null && !notThere) {
            bytes = OutcomeCodec.bytes(unknown);
        }
        means.storeClient.tell(new Debt(key, fingerprint, owner, bytes));
        callContext.tick();
        return new Outcome(ending, !(ending instanceof Rejected));
    }
}
