package dev.penstock.lab.simulate.tcp;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One injected fault, with the number of connections it may still affect.
 *
 * <p>Thread-safe.
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

    /** Whether it affects one more connection; counts it if so. */
    boolean affectsNext() {
        return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
}
