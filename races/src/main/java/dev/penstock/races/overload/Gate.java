package dev.penstock.races.overload;

import dev.penstock.Rejected;
import dev.penstock.Service;

/** Decides whether one more request is admitted. Thread-safe. */
@FunctionalInterface
interface Gate {
    /** A gate that admits everything. */
    static Gate to(Service<Long, Long> admitted) {
        return () -> admitted;
    }

    /**
     * Decides on the calling thread, without waiting.
     *
     * @return the admitted call, to be made exactly once, on any thread; permits are released when it ends
     * @throws Rejected when nothing is admitted now
     */
    Service<Long, Long> enter() throws Rejected;
}
