package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time that faults go by: since the simulator's start, or since it was told to begin anew.
 *
 * <p>Safe for many threads.
 */
final class FaultClock {
    /**
     * One beginning.
     *
     * @param number from 0 on
     * @param nanos the ticker's reading then
     */
    record Origin(long number, long nanos) {
        /** How long after it a reading is; below 0 for one before it. */
        long until(long reading) {
            return reading - nanos;
        }
    }

    private final Ticker ticker;
    private final AtomicReference<Origin> origin;

    FaultClock(Ticker ticker) {
        this.ticker = ticker;
        this.origin = new AtomicReference<>(new Origin(0, ticker.nanos()));
    }

    /** Time counts from this instant on. */
    void begin() {
        origin.updateAndGet(last -> new Origin(last.number() + 1, ticker.nanos()));
    }

    /** The latest beginning. */
    Origin origin() {
        return origin.get();
    }

    /** Nanoseconds since the latest beginning. */
    long now() {
        return at(ticker.nanos());
    }

    /** A reading of the ticker as nanoseconds since the latest beginning. */
    long at(long reading) {
        return origin().until(reading);
    }
}
