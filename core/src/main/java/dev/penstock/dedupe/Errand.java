package dev.penstock.dedupe;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.dedupe.Debts.Debt;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The first transaction of a key in this process: claims the key, goes to the target when it may, and tells the ledger what
 * came of it. For one thread, and one use.
 *
 * <h2>Design note</h2>
 *
 * <p>Once one of a key ended as unknown, only an answer, or the word that it is not there, ends the doubt, as in the retry:
 * whatever comes of sending it again, the first may have taken effect. So the key is taken over from its owner, which only
 * one of all can, and the doubt is written down again unless it is resolved.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
final class Errand<Q, R> {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LEASE_WITHOUT_DEADLINE = Duration.ofMinutes(5);
    private static final long FIRST_LOOK_NANOS = 20_000_000;
    private static final int MOST_DOUBLINGS = 5;

    /** What it is asked for with, the same for all of a flow. */
    record Means<Q, R>(
            Desk desk, Kept kept, Duration keep, Tally tally, Ticker ticker, Service<Q, R> next, Doubt<Q, R> doubt) {}

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
    private final Transit transit;
    private long owner;

    Errand(Means<Q, R> means, Q request, String key, String fingerprint, Transit transit, long owner) {
        this.means = means;
        this.request = request;
        this.key = key;
        this.fingerprint = fingerprint;
        this.transit = transit;
        this.owner = owner;
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
        Debt debt = means.desk.debt(key);
        byte[] ending = debt == null ? null : debt.ending();
        if (debt == null || ending == null) {
            owner = debt == null ? owner : debt.owner();
            return null;
        }
        return means.desk.tell(debt) ? null : isSame(debt.fingerprint()) ? repeat(means.kept.ending(ending)) : refuse();
    }

    /** Asks for the key, and does what is to be done; null to ask again. */
    private @Nullable Outcome look(int look) throws Exception {
        return switch (means.desk.claim(ask(), transit)) {
            case Claim.Claimed() -> {
                means.tally.first.increment();
                yield send(null);
            }
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
                yield isSame(other) ? resolve(lost, before, Kept.bytes(lost)) : refuse();
            }
        };
    }

    private Ask ask() {
        Duration lease = transit.hasDeadline()
                ? Duration.ofNanos(Math.max(0, transit.timeLeft())).plus(MARGIN)
                : LEASE_WITHOUT_DEADLINE;
        return new Ask(key, fingerprint, owner, lease, means.keep);
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
        long until = transit.now() + Math.max(1, Math.min(most, Math.min(left.toNanos(), transit.timeLeft())));
        means.tally.waiting.increment();
        try {
            while (transit.tick() - until < 0) {
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
        return transit.timeLeft() > 0
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
        Claim claim = means.desk.takeOver(ask(), before, bytes, transit);
        if (!(claim instanceof Claim.Claimed)) {
            return claim == null ? repeat(unknown) : null;
        }
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
     */
    private Outcome send(@Nullable Unknown unknown) throws Exception {
        if (transit.timeLeft() <= 0) {
            Rejected late = new Rejected(Rejected.Cause.DEADLINE, "the time was up before it was sent, with its key");
            return over(unknown == null ? late : unknown, unknown);
        }
        boolean ended = false;
        try {
            Ending ending = call();
            ended = true;
            return over(unknown == null || resolves(ending) ? ending : still(unknown, ending), unknown);
        } finally {
            if (!ended) {
                Unknown thrown = new Unknown(Unknown.Cause.ERROR, "what the target threw tells nothing");
                means.desk.tell(new Debt(key, fingerprint, owner, Kept.bytes(thrown)));
            }
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
            bytes = Kept.bytes(unknown);
        }
        means.desk.tell(new Debt(key, fingerprint, owner, bytes));
        transit.tick();
        return new Outcome(ending, !(ending instanceof Rejected));
    }
}
