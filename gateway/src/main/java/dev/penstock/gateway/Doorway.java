package dev.penstock.gateway;

import dev.penstock.Service;
import dev.penstock.udp.DatagramHandler;
import java.util.concurrent.CountDownLatch;

/**
 * Holds requests back until every part of the gateway is up, so that none is carried by a gateway that then fails to start.
 * Once open it costs one volatile read. Safe for many threads.
 */
final class Doorway {
    private final CountDownLatch closed = new CountDownLatch(1);

    <Q, R> Service<Q, R> before(Service<Q, R> next) {
        return request -> {
            closed.await();
            return next.call(request);
        };
    }

    /** As above, for what is answered by the thread that reads: it reads nothing until then. */
    DatagramHandler beforeReading(DatagramHandler next) {
        return (request, answer) -> {
            closed.await();
            return next.answer(request, answer);
        };
    }

    void open() {
        closed.countDown();
    }

    boolean isOpen() {
        return closed.getCount() == 0;
    }
}
