package dev.penstock;

import java.util.List;

/**
 * Asks what became of a transaction that was sent and got no answer, by a reference of our own that the request carries:
 * an order number, an idempotency key. Asking must change nothing.
 *
 * <p>Called under the deadline of the transaction ({@link Deadline#current()}), again and again while the word is {@link
 * Settled.StillUnknown}; on the thread of the transaction when it has no deadline or the probe {@linkplain
 * #honorsDeadline() honors deadlines}, else on a virtual thread of its own. It bounds by itself how many questions the target gets at once: it may well ask
 * through a flow of its own. Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface StatusProbe<Q, R> {
    /**
     * Asks once.
     *
     * @param request the request whose transaction is in doubt
     * @return the word of the target; {@link Settled.NotThere} only when it is safe to send the request again
     * @throws Exception when nothing could be found out; this counts as {@link Settled.StillUnknown}
     */
    Settled<R> ask(Q request) throws Exception;

    /**
     * Whether a request bears the reference that this asks by. Nothing is asked of one that does not; its transaction stays
     * unknown. Default: every request does.
     */
    default boolean canAskOf(Q request) {
        return true;
    }

    /**
     * Whether every question ends by the {@linkplain Deadline#current() deadline of its thread}, as {@link
     * Service#honorsDeadline()} says of a service. Default: false.
     */
    default boolean honorsDeadline() {
        return false;
    }

    /** Its settings, for people to read, each named {@code settle.} and a word. Default: none. */
    default List<Setting> settings() {
        return List.of();
    }
}
