package dev.penstock.flow;

import dev.penstock.Reservation;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Leave for one request to enter a {@link Flow}, given before it was handed to another thread. Call it once, on any thread,
 * or close it; both is fine too.
 *
 * <p>It counts nowhere until it is called: the transaction is offered then, and ends as any other. Its deadline counts from
 * the admission on. It may still be rejected, when the time is up, the breaker has opened, the flow is draining, or its
 * turn does not come in time.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Admission<Q, R> implements AutoCloseable {
    private final Service<Q, R> chain;
    private final @Nullable Reservation place;
    private final Ticker ticker;
    private final long until;
    private final AtomicBoolean used = new AtomicBoolean();

    /**
     * Leave to enter.
     *
     * @param chain the way in
     * @param place a place at the target, or in line for it; null where there is no limit
     * @param until the reading of the ticker by which the transaction has to be over; at most 146 years ahead
     */
    Admission(Service<Q, R> chain, @Nullable Reservation place, Ticker ticker, long until) {
        this.chain = chain;
        this.place = place;
        this.ticker = ticker;
        this.until = until;
    }

    /**
     * Carries the transaction that was admitted, as {@link Flow#call} does.
     *
     * @return the target's answer
     * @throws dev.penstock.Rejected it was never sent
     * @throws dev.penstock.Failed it is known not to have taken effect, or was refused for good
     * @throws dev.penstock.Unknown it was sent, and no answer came
     * @throws IllegalStateException when this was called or closed before
     */
    public R call(Q request) throws Exception {
        if (!used.compareAndSet(false, true)) {
            throw new IllegalStateException("this admission was used or closed before; admit each request anew");
        }
        CallContext callContext = CallContext.begin(ticker);
        try {
            callContext.allowAtMost(until - callContext.now());
            if (place != null) {
                callContext.bring(place);
            }
            return chain.call(request);
        } finally {
            callContext.end();
            giveBack();
        }
    }

    /**
     * Gives the place back, unless the transaction has made use of it: one that still waits for its turn is {@link Rejected},
     * cause queue. Does nothing the second time.
     */
    @Override
    public void close() {
        used.set(true);
        giveBack();
    }

    private void giveBack() {
        if (place != null) {
            place.close();
        }
    }
}
