package dev.penstock.lab.load;

import dev.penstock.Service;

/**
 * A service that can also be handed a request without being waited for, as the thread that accepts connections hands them to
 * a server. What it decides before it hands the work on, it decides at once, however busy all other threads are.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface Intake<Q, R> extends Service<Q, R> {
    /**
     * Takes a request and returns without waiting for anything. Its ending is told to {@code reply}, by this thread or any
     * other; one that is known already may be thrown instead.
     *
     * @param request what is asked
     * @param reply told once how it ended
     * @throws Exception how it ended, as {@link Service#call} throws it
     */
    void take(Q request, Reply<? super R> reply) throws Exception;

    /**
     * Who waits for an ending. The first one that is told counts, others are ignored. Safe for many threads.
     *
     * @param <R> the answer
     */
    interface Reply<R> {
        /** It was answered. */
        void answered(R answer);

        /** It was not answered: what {@link Service#call} would have thrown. */
        void threw(Throwable thrown);
    }
}
