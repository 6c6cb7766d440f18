package dev.penstock;

import java.util.List;

/**
 * Queries the status of a transaction that was sent and got no answer, by a reference that the request contains: an order
 * number, an idempotency key. A query must not change anything.
 *
 * <p>Called under the deadline of the transaction ({@link Deadline#current()}), repeatedly while the result is {@link
 * Settled.StillUnknown}. It runs on the thread of the transaction when there is no deadline or the probe {@linkplain
 * #honorsDeadline() honors deadlines}, otherwise on a separate virtual thread. The probe itself must limit concurrent
 * queries, for instance by a flow of its own. Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface StatusProbe<Q, R> {
    /**
     * Queries the status once.
     *
     * @param request the request whose outcome is unknown
     * @return the status; {@link Settled.NotThere} only when it is safe to send the request again
     * @throws Exception when the query fails; this counts as {@link Settled.StillUnknown}
     */
    Settled<R> ask(Q request) throws Exception;

    /**
     * {@return whether a request contains the reference that the query needs} Without it, nothing is queried and the
     * transaction stays unknown. Default: true.
     *
     * @param request the request whose outcome is unknown
     */
    default boolean canAskOf(Q request) {
        return true;
    }

    /**
     * {@return whether every query returns by the {@linkplain Deadline#current() deadline of its thread}; see {@link
     * Service#honorsDeadline()}} Default: false.
     */
    default boolean honorsDeadline() {
        return false;
    }

    /** {@return its settings for display, with names that begin with {@code settle.}} Default: none. */
    default List<Setting> settings() {
        return List.of();
    }

    /**
     * What a {@link StatusProbe} found out about a transaction without an answer: {@link Answered} with the transaction's own
     * answer, {@link NotThere} or {@link StillUnknown}.
     *
     * @param <R> the type of the answer
     */
    sealed interface Settled<R> permits Answered, Settled.NotThere, Settled.StillUnknown {
        /**
         * The target does not have the transaction and will not receive it late, so it is safe to send it again.
         *
         * @param <R> the type of the answer
         */
        record NotThere<R>() implements Settled<R> {}

        /**
         * The probe could not determine the outcome.
         *
         * @param why in a few words that follow "still unknown:", without secrets
         * @param <R> the kind of answer
         */
        record StillUnknown<R>(String why) implements Settled<R> {}
    }
}
