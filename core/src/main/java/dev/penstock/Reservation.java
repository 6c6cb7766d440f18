package dev.penstock;

/**
 * A place at a target, or in the line for it, that was taken before the transaction began: so whether there is one was
 * decided before the transaction was handed to another thread. Bring it along with {@link CallContext#bring}.
 *
 * <p>Safe for many threads.
 */
public interface Reservation extends AutoCloseable {
    /** Gives the place back unless the transaction has made use of it. Does nothing the second time. */
    @Override
    void close();
}
