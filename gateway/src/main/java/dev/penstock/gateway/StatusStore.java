package dev.penstock.gateway;

import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.http.HttpAnswer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where it is written down what became of transactions that were answered before they were carried. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>Costs two writes a transaction, one before its message is sent and one before it is acknowledged. Both travel with those
 * of others, many by one commit of the ledger. What is written first is a key whose owner is known to everybody who knows the
 * id, so that any process may write the ending; while there is none, the transaction is pending. That the first comes before
 * the message is there, and the second before it is gone, keeps a status from ever being missing.
 *
 * <p>An ending that cannot be written keeps its message from being acknowledged, and is written later; it is not carried once
 * more for that.
 *
 * @param ledger where; closed by whom it belongs to
 * @param keep for how long after the ending
 * @param maxAnswer how many bytes of a reply are kept
 */
record StatusStore(IdempotencyStore ledger, Duration keep, int maxAnswer) {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.status");
    private static final String KEY = "status/";
    private static final String NO_PRINT = "";

    /** What lies in a queue for longer is not found any more. */
    private static final Duration LONGEST_PENDING = Duration.ofDays(30);

    /**
     * Notes that a transaction is under way.
     *
     * @return false when it was carried before
     * @throws Rejected it cannot be noted, so it must not be sent
     */
    boolean begin(String id) throws Rejected {
        try {
            return !(ledger.claim(ask(id)) instanceof Claim.Ended);
        } catch (Exception cannot) {
            throw new Rejected(
                    Rejected.Cause.POOL,
                    "its status cannot be kept in " + ledger.where() + ": " + cannot.getMessage(),
                    Duration.ofSeconds(1),
                    cannot);
        }
    }

    /** Takes back that a transaction is under way: it was not sent. */
    void undo(String id) {
        try {
            ledger.release(KEY + id, TransactionIds.owner(id));
        } catch (Exception later) {
            LOG.debug("a transaction that was not sent stays pending", later);
        }
    }

    /**
     * Writes down an answer.
     *
     * @throws Exception nobody knows whether it is written down; may be told again
     */
    void answered(String id, HttpAnswer answer) throws Exception {
        end(id, StatusJson.answered(answer, maxAnswer));
    }

    /** Writes down that there is no answer; throws as the other does. */
    void unanswered(String id, Unanswered ending) throws Exception {
        end(id, StatusJson.unanswered(ending));
    }

    /** A transaction of which nothing is noted lay in its queue for too long, or its note was lost: it is noted anew. */
    private void end(String id, byte[] ending) throws Exception {
        long owner = TransactionIds.owner(id);
        if (ledger.end(KEY + id, owner, ending, keep)) {
            return;
        }
        LOG.warn("transaction {} is not in {}; its ending is written down anew", id, ledger.where());
        ledger.claim(ask(id));
        if (!ledger.end(KEY + id, owner, ending, keep)) {
            LOG.error("the ending of transaction {} cannot be written down in {}", id, ledger.where());
        }
    }

    private KeyRequest ask(String id) {
        return new KeyRequest(KEY + id, NO_PRINT, TransactionIds.owner(id), LONGEST_PENDING, keep);
    }

    /**
     * What the target answered to a transaction; null when it has not ended, or otherwise.
     *
     * @throws Exception it could not be looked up
     */
    @Nullable
    HttpAnswer answer(String id) throws Exception {
        return ledger.find(KEY + id) instanceof Claim.Ended(String print, long owner, byte[] ending)
                ? StatusJson.answer(ending)
                : null;
    }

    /**
     * What is known of a transaction, as JSON; null when nothing is.
     *
     * @throws Exception it could not be looked up
     */
    byte @Nullable [] find(String id) throws Exception {
        return switch (ledger.find(KEY + id)) {
            case null -> null;
            case Claim.Ended(String print, long owner, byte[] ending) -> StatusJson.ended(id, ending);
            default -> StatusJson.pending(id);
        };
    }
}
