package dev.penstock.flow;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The admission of one request to a {@link Flow}, decided before the request is handed to another thread. Call it once, on any
 * thread, and close it; closing alone cancels it.
 *
 * <p>It is not counted until it is called; then the transaction is offered and ends like any other. Its deadline starts at the
 * admission. The transaction may still be rejected: when its deadline passes, the breaker opens, the flow drains, or it does
 * not get a permit in time.
 *
 * <p>Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Admission<Q, R> implements AutoCloseable {
    private final Service<Q, R> chain;
    private final @Nullable Reservation reservation;
    private final Ticker ticker;
    private final long deadline;
    private final AtomicBoolean used = new AtomicBoolean();

    /**
     * An admission that has not been used.
     *
     * @param chain the stages of the flow
     * @param reservation a permit or a position in the wait queue; null when the flow has no limit
     * @param deadline of the transaction, as a reading of the ticker; at most 146 years ahead
     */
    Admission(Service<Q, R> chain, @Nullable Reservation reservation, Ticker ticker, long deadline) {
        this.chain = chain;
        this.reservation = reservation;
        this.ticker = ticker;
        this.deadline = deadline;
    }

    /**
     * Processes the admitted transaction, like {@link Flow#call}.
     *
     * @param request the request
     * @return the target's answer
     * @throws dev.penstock.Rejected if the request was not sent
     * @throws dev.penstock.Failed if it is known not to have taken effect, or was refused permanently
     * @throws dev.penstock.Unknown if it was sent and no answer came
     * @throws IllegalStateException if this admission was already called or closed
     */
    public R call(Q request) throws Exception {
        if (!used.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "this admission was already called or closed; admit each request separately");
        }
        CallContext callContext =
                reservation == null ? CallContext.begin(ticker) : CallContext.begin(ticker, reservation);
        try {
            callContext.allowAtMost(deadline - callContext.now());
            return chain.call(request);
        } finally {
            callContext.end();
            release();
        }
    }

    /**
     * Releases the reservation unless the transaction has used it. A transaction that still waits for a permit is {@link
     * Rejected}, cause queue. Idempotent.
     */
    @Override
    public void close() {
        used.set(true);
        release();
    }

    private void release() {
        if (reservation != null) {
            reservation.close();
        }
    }
}
