package dev.penstock.gateway.status;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the outcomes of transactions that are answered before they are processed. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Each transaction costs two writes, one before its message is sent and one before it is acknowledged. The store
 * commits concurrent writes together. The first write is a key whose owner is derived from the id, so any process may
 * write the ending; until then the transaction is pending. Because the first write precedes the message and the second
 * precedes its removal, a status is never missing.
 *
 * <p>If an ending cannot be written, the message is not acknowledged and the write is retried later; the message is not
 * processed again.
 *
 * @param store the store; closed by its owner
 * @param keep the retention after the ending
 * @param maxAnswer the largest stored reply, in bytes
 */
public record StatusStore(IdempotencyStore store, Duration keep, int maxAnswer) {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.status");
    private static final String KEY = "status/";
    private static final String NO_FINGERPRINT = "";

    /** The status of a message that waits longer in its queue expires. */
    private static final Duration MAX_PENDING = Duration.ofDays(30);

    /**
     * Records a transaction as pending.
     *
     * @return false when it was processed before
     * @throws Rejected it cannot be recorded, so it must not be sent
     */
    public boolean begin(String id) throws Rejected {
        try {
            return !(store.claim(keyRequest(id)) instanceof Claim.Ended);
        } catch (Exception cannot) {
            throw new Rejected(
                    Rejected.Cause.STORE,
                    "cannot store the transaction status in " + store.where() + ": " + cannot.getMessage(),
                    Duration.ofSeconds(1),
                    cannot);
        }
    }

    /** Removes the pending record of a transaction that was not sent. */
    public void undo(String id) {
        try {
            store.release(KEY + id, TransactionIds.owner(id));
        } catch (Exception later) {
            LOG.debug("cannot remove the status of a transaction that was not sent; it stays pending", later);
        }
    }

    /**
     * Stores an answer.
     *
     * @throws Exception it is unknown whether it was stored; may be repeated
     */
    public void answered(String id, HttpAnswer answer) throws Exception {
        end(id, StatusJson.answered(answer, maxAnswer));
    }

    /** Stores an ending without an answer; throws as {@link #answered}. */
    public void unanswered(String id, Unanswered ending) throws Exception {
        end(id, StatusJson.unanswered(ending));
    }

    /** A missing pending record expired or was lost: it is created again. */
    private void end(String id, byte[] ending) throws Exception {
        long owner = TransactionIds.owner(id);
        if (store.end(KEY + id, owner, ending, keep)) {
            return;
        }
        LOG.warn("transaction {} is not in {} any more; storing its ending again", id, store.where());
        store.claim(keyRequest(id));
        if (!store.end(KEY + id, owner, ending, keep)) {
            LOG.error("cannot store the ending of transaction {} in {}", id, store.where());
        }
    }

    private KeyRequest keyRequest(String id) {
        return new KeyRequest(KEY + id, NO_FINGERPRINT, TransactionIds.owner(id), MAX_PENDING, keep);
    }

    /**
     * The target's answer to a transaction; null when it is pending or ended without an answer.
     *
     * @throws Exception the store is not available
     */
    @Nullable
    public HttpAnswer answer(String id) throws Exception {
        return store.find(KEY + id) instanceof Claim.Ended(String print, long owner, byte[] ending)
                ? StatusJson.answer(ending)
                : null;
    }

    /**
     * The status of a transaction as JSON; null when it is unknown.
     *
     * @throws Exception the store is not available
     */
    public byte @Nullable [] find(String id) throws Exception {
        return switch (store.find(KEY + id)) {
            case null -> null;
            case Claim.Ended(String print, long owner, byte[] ending) -> StatusJson.ended(id, ending);
            default -> StatusJson.pending(id);
        };
    }
}
