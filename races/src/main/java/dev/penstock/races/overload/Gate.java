package dev.penstock.races.overload;

import dev.penstock.Rejected;
import dev.penstock.Service;

/** Decides whether one more request may go in. Safe for many threads. */
@FunctionalInterface
interface Gate {
    /** A gate that lets everyone go this way, or to be rejected on it. */
    static Gate to(Service<Long, Long> way) {
        return () -> way;
    }

    /**
     * Decides on the calling thread, without waiting.
     *
     * @return the way in, to be called exactly once, on any thread; whatever is held is given back when that ends
     * @throws Rejected nobody may go in now
     */
    Service<Long, Long> enter() throws Rejected;
}
