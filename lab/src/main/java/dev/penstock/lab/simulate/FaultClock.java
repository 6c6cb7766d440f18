package dev.penstock.lab.simulate;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time base of faults: nanoseconds since the simulator's start, or since the last {@link #begin}.
 *
 * <p>Thread-safe.
 */
public final class FaultClock {
    /** The time before the start, for a simulator that waits for {@link #begin}. No window is open then. */
    public static final long NOT_BEGUN = Long.MIN_VALUE;

    private static final long HOUR = 3_600_000_000_000L;

    /**
     * A start of the time line.
     *
     * @param number from 0
     * @param nanos the time, by the ticker
     * @param begun whether time runs; otherwise it waits for the next start
     */
    record Origin(long number, long nanos, boolean begun) {
        /** The time since the start; negative before it. */
        long until(long reading) {
            return begun ? reading - nanos : NOT_BEGUN;
        }

        /** The time, by the ticker, at which the schedule changes next. */
        long nextCheck(FaultSchedule schedule, long since, long reading) {
            return begun ? nanos + schedule.nextChange(since) : reading + HOUR;
        }
    }

    private final Ticker ticker;
    private final AtomicReference<Origin> origin;

    /**
     * A clock.
     *
     * @param ticker the underlying clock
     * @param waits whether time stands still before {@link #begin()}
     */
    public FaultClock(Ticker ticker, boolean waits) {
        this.ticker = ticker;
        this.origin = new AtomicReference<>(new Origin(0, ticker.nanos(), !waits));
    }

    /** Restarts the time at 0. */
    public void begin() {
        origin.updateAndGet(last -> new Origin(last.number() + 1, ticker.nanos(), true));
    }

    /** The latest start. */
    Origin origin() {
        return origin.get();
    }

    /** Nanoseconds since the latest start, or {@link #NOT_BEGUN}. */
    public long now() {
        return at(ticker.nanos());
    }

    /** A ticker reading as nanoseconds since the latest start, or {@link #NOT_BEGUN}. */
    public long at(long reading) {
        return origin().until(reading);
    }
}
