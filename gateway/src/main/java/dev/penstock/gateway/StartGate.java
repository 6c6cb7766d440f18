package dev.penstock.gateway;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.udp.DatagramHandler;
import java.util.concurrent.CountDownLatch;

/**
 * Holds requests back until every part of the gateway is up, so that none is carried by a gateway that then fails to start.
 * Once open it costs one volatile read. Safe for many threads.
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

    /** As above, for what is answered by the thread that reads: it reads nothing until then. */
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

    /** Sends away who waits, and whoever comes: the gateway could not start. Does nothing once it is open. */
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
