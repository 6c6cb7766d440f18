package dev.penstock;

/**
 * A request that may be read-only, so that sending it any number of times changes nothing. A read-only request is retried
 * after any ending, if retries are enabled, and the {@link StatusProbe} is never asked about it.
 */
public interface ReadOnly {
    /** {@return whether this request is read-only} */
    boolean isReadOnly();

    /**
     * {@return whether a request of any type is known to be read-only}
     *
     * @param request any request
     */
    static boolean is(Object request) {
        return request instanceof ReadOnly known && known.isReadOnly();
    }
}
