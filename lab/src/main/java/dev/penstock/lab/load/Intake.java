package dev.penstock.lab.load;

import dev.penstock.Service;

/**
 * A service that also accepts a request asynchronously, as the accepting thread of a server hands over connections.
 * Decisions made before the hand-over (such as a rejection) are immediate, however busy all other threads are.
 *
 * <p>Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface Intake<Q, R> extends Service<Q, R> {
    /**
     * Accepts a request and returns without blocking. Its ending is passed to {@code reply}, by any thread; an ending
     * known immediately may be thrown instead.
     *
     * @param request the request
     * @param reply receives the ending once
     * @throws Exception the ending, as {@link Service#call} throws it
     */
    void take(Q request, Reply<? super R> reply) throws Exception;

    /**
     * Receives the ending of a request. The first call counts, later ones are ignored. Thread-safe.
     *
     * @param <R> the answer
     */
    interface Reply<R> {
        /** The request was answered. */
        void answered(R answer);

        /** The request was not answered: what {@link Service#call} would have thrown. */
        void threw(Throwable thrown);
    }
}
