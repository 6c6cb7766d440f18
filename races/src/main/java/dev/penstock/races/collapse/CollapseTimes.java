package dev.penstock.races.collapse;

import java.time.Duration;

/**
 * How long a load goes on.
 *
 * @param warmUp not measured: the time in which what learns has learnt, and code is compiled
 * @param measured after it
 */
record CollapseTimes(Duration warmUp, Duration measured) {
    static CollapseTimes ofMillis(int warmUp, int measured) {
        return new CollapseTimes(Duration.ofMillis(warmUp), Duration.ofMillis(measured));
    }

    /** From the start of the load to its last start of a transaction. */
    Duration lasting() {
        return warmUp.plus(measured);
    }
}
