package dev.penstock.gateway;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.udp.DatagramHandler;
import java.util.concurrent.CountDownLatch;

/**
 * Delays requests until every part of the gateway has started, so that a gateway that fails to start processes none.
 * Once open it costs one volatile read. Thread-safe.
 */
final class StartGate {
    private volatile boolean refusing;
    private final CountDownLatch closed = new CountDownLatch(1);

    <Q, R> Service<Q, R> before(Service<Q, R> next) {
        return request -> {
            pass();
            return next.call(request);
        };
    }

    /** As above for inline datagrams: the reader thread waits. */
    DatagramHandler beforeReading(DatagramHandler next) {
        return (request, answer) -> {
            pass();
            return next.answer(request, answer);
        };
    }

    private void pass() throws InterruptedException, Rejected {
        closed.await();
        if (refusing) {
            throw new Rejected(Rejected.Cause.DRAINING, "the gateway did not start");
        }
    }

    /** Rejects waiting and future requests, because the gateway could not start. Has no effect once open. */
    void refuse() {
        if (!isOpen()) {
            refusing = true;
            closed.countDown();
        }
    }

    void open() {
        closed.countDown();
    }

    boolean isOpen() {
        return closed.getCount() == 0 && !refusing;
    }
}
