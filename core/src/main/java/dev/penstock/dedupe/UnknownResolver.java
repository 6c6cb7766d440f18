package dev.penstock.dedupe;

import dev.penstock.Failed;
import dev.penstock.Unknown;

/**
 * What can be done about a transaction of which nobody knows what became of it, when its key comes again. Safe for many
 * threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface UnknownResolver<Q, R> {
    /** Whether a request that may have taken effect may be sent again, as the target takes two of one key as one. */
    boolean maySendAgain(Q request);

    /** Whether there is somebody to ask what became of a request. */
    boolean canAsk(Q request);

    /**
     * Asks what became of it, on the thread of the transaction and within its time.
     *
     * @return the transaction's own answer
     * @throws Failed it is not there, so it may be sent
     * @throws Unknown there is no clear word
     */
    R ask(Q request, Unknown doubt) throws Failed, Unknown;

    /** Nothing can be done: it stays unknown. */
    static <Q, R> UnknownResolver<Q, R> stays() {
        return new Stays<>();
    }

    /** See {@link #stays}. */
    record Stays<Q, R>() implements UnknownResolver<Q, R> {
        @Override
        public boolean maySendAgain(Q request) {
            return false;
        }

        @Override
        public boolean canAsk(Q request) {
            return false;
        }

        @Override
        public R ask(Q request, Unknown doubt) throws Unknown {
            throw doubt;
        }
    }
}
