package dev.penstock;

/**
 * A permit, or a position in the wait queue, acquired before the transaction begins. So a request can be admitted or rejected
 * before it is handed to another thread. Begin the transaction with {@link CallContext#begin(Ticker, Reservation)}.
 *
 * <p>Thread-safe.
 */
public interface Reservation extends AutoCloseable {
    /** Releases the reservation unless the transaction has used it. Idempotent. */
    @Override
    void close();
}
