package dev.penstock.dedupe;

import dev.penstock.Failed;
import dev.penstock.Unknown;

/**
 * Resolves an unknown ending when another request with the same key arrives. Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface UnknownResolver<Q, R> {
    /** Whether a request that may have taken effect may be sent again, because the target deduplicates by key. */
    boolean maySendAgain(Q request);

    /** Whether the status of a request can be asked. */
    boolean canAsk(Q request);

    /**
     * Asks for the status of a request, on the thread of the transaction and within its deadline.
     *
     * @return the transaction's own answer
     * @throws Failed the target does not have the transaction, so it may be sent
     * @throws Unknown the status is still unknown
     */
    R ask(Q request, Unknown unknown) throws Failed, Unknown;
}
