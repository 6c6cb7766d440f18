package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time that faults go by: since the simulator's start, or since it was told to begin anew.
 *
 * <p>Safe for many threads.
 */
public final class FaultClock {
    /** The time before the beginning, for a simulator that waits to be told. No window is open then. */
    public static final long NOT_BEGUN = Long.MIN_VALUE;

    private static final long HOUR = 3_600_000_000_000L;

    /**
     * One beginning.
     *
     * @param number from 0 on
     * @param nanos the ticker's reading then
     * @param begun whether time runs; otherwise it waits for the next beginning
     */
    record Origin(long number, long nanos, boolean begun) {
        /** How long after it a reading is; below 0 for one before it. */
        long until(long reading) {
            return begun ? reading - nanos : NOT_BEGUN;
        }

        /** The reading at which to look at a schedule again, when it has been looked at for a time. */
        long nextLook(FaultSchedule schedule, long since, long reading) {
            return begun ? nanos + schedule.nextChange(since) : reading + HOUR;
        }
    }

    private final Ticker ticker;
    private final AtomicReference<Origin> origin;

    /**
     * A clock.
     *
     * @param ticker what it reads
     * @param waits whether time does not run before {@link #begin()}
     */
    public FaultClock(Ticker ticker, boolean waits) {
        this.ticker = ticker;
        this.origin = new AtomicReference<>(new Origin(0, ticker.nanos(), !waits));
    }

    /** Time counts from this instant on. */
    public void begin() {
        origin.updateAndGet(last -> new Origin(last.number() + 1, ticker.nanos(), true));
    }

    /** The latest beginning. */
    Origin origin() {
        return origin.get();
    }

    /** Nanoseconds since the latest beginning, or {@link #NOT_BEGUN}. */
    public long now() {
        return at(ticker.nanos());
    }

    /** A reading of the ticker as nanoseconds since the latest beginning, or {@link #NOT_BEGUN}. */
    public long at(long reading) {
        return origin().until(reading);
    }
}
