package dev.penstock.lab.simulate.tcp;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One fault from its beginning to its end, and how many connections it may still strike.
 *
 * <p>Safe for many threads.
 */
final class Injection {
    private final TcpFault fault;
    private final AtomicInteger left;

    Injection(TcpFault fault) {
        this.fault = fault;
        this.left = new AtomicInteger(
                switch (fault) {
                    case TcpFault.Break broken -> broken.connections();
                    case TcpFault.HalfClose closed -> closed.connections();
                    default -> Integer.MAX_VALUE;
                });
    }

    TcpFault fault() {
        return fault;
    }

    /** Whether it may strike one more connection; counts it if so. */
    boolean strikes() {
        return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
}
