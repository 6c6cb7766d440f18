package dev.penstock.races;

import java.time.Duration;

/**
 * The duration of a load.
 *
 * @param warmUp not measured: code is compiled, and adaptive settings settle
 * @param measured the measured time after it
 */
public record LoadTimes(Duration warmUp, Duration measured) {
    /** Creates it from milliseconds. */
    public static LoadTimes ofMillis(int warmUp, int measured) {
        return new LoadTimes(Duration.ofMillis(warmUp), Duration.ofMillis(measured));
    }

    /** From the start of the load to the last start of a transaction. */
    public Duration lasting() {
        return warmUp.plus(measured);
    }
}
