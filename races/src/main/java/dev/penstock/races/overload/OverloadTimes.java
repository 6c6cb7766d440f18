package dev.penstock.races.overload;

import java.time.Duration;

/**
 * How long a load goes on.
 *
 * @param warmUp not measured: the time in which what adapts finds its values
 * @param measured after it
 */
record OverloadTimes(Duration warmUp, Duration measured) {
    static OverloadTimes of(int warmUpMillis, int measuredMillis) {
        return new OverloadTimes(Duration.ofMillis(warmUpMillis), Duration.ofMillis(measuredMillis));
    }

    /** From the start of the load to its last start of a transaction. */
    Duration lasting() {
        return warmUp.plus(measured);
    }
}
