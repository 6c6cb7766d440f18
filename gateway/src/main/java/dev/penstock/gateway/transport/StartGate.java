package dev.penstock.gateway.transport;

import dev.penstock.Rejected;
import dev.penstock.Service;
import java.util.concurrent.CountDownLatch;

/**
 * Delays requests until every part of the gateway has started, so that a gateway that fails to start processes none.
 * Once open it costs one volatile read. Thread-safe.
 */
public final class StartGate {
    private volatile boolean refusing;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Delays the requests of a source. */
    public <Q, R> Service<Q, R> before(Service<Q, R> next) {
        return request -> {
            pass();
            return next.call(request);
        };
    }

    /**
     * Waits until requests may pass.
     *
     * @throws Rejected the gateway did not start
     */
    public void pass() throws InterruptedException, Rejected {
        closed.await();
        if (refusing) {
            throw new Rejected(Rejected.Cause.DRAINING, "the gateway did not start");
        }
    }

    /** Rejects waiting and future requests, because the gateway could not start. Has no effect once open. */
    public void refuse() {
        if (!isOpen()) {
            refusing = true;
            closed.countDown();
        }
    }

    /** Lets requests pass. */
    public void open() {
        closed.countDown();
    }

    /** Whether requests pass. */
    public boolean isOpen() {
        return closed.getCount() == 0 && !refusing;
    }
}
