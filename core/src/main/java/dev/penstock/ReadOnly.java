package dev.penstock;

/**
 * A request that may only read, so that sending it any number of times changes nothing. What became of it need never be
 * asked, and it is repeated whatever became of it, where repeats are allowed at all.
 */
public interface ReadOnly {
    /** Whether this request only reads. */
    boolean isReadOnly();

    /** Whether a request of any kind is known only to read. */
    static boolean is(Object request) {
        return request instanceof ReadOnly known && known.isReadOnly();
    }
}
