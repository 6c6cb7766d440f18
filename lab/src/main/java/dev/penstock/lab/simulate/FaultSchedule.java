package dev.penstock.lab.simulate;

import dev.penstock.Durations;
import java.time.Duration;

/**
 * When faults happen: a window of some length opens every so often, for the first time after one whole period. A time goes
 * in and an answer comes out; it has no clock of its own.
 *
 * <p>Window <i>n</i>, from 1 on, is the times from <i>n</i> x {@code every} (included) to <i>n</i> x {@code every} +
 * {@code lasting} (not included). All times are nanoseconds since the simulator's start.
 *
 * @param every from the start of one window to the start of the next; above 0, at most 36,500 days
 * @param lasting how long a window is open; above 0, at most {@code every}
 */
public record FaultSchedule(Duration every, Duration lasting) {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** No window in a hundred years. */
    public static final FaultSchedule NEVER = new FaultSchedule(LONGEST, Duration.ofNanos(1));

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException when a time is out of range, in one line that says what to do
     */
    public FaultSchedule {
        if (every.isNegative() || every.isZero() || every.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "faults every " + Durations.words(every) + ": give a time above 0, for instance 10s");
        }
        if (lasting.isNegative() || lasting.isZero() || lasting.compareTo(every) > 0) {
            throw new IllegalArgumentException("faults for " + Durations.words(lasting) + " every "
                    + Durations.words(every) + ": give a time above 0 and at most the period");
        }
    }

    /** Whether a window is open at that time. */
    public boolean active(long nanos) {
        return window(nanos) > 0;
    }

    /** The number of the window that is open at that time, from 1 on; 0 when none is. */
    public long window(long nanos) {
        long period = every.toNanos();
        return nanos >= period && nanos % period < lasting.toNanos() ? nanos / period : 0;
    }

    /** The next time after this one at which a window opens or closes. */
    public long nextChange(long nanos) {
        long period = every.toNanos();
        if (nanos < period) {
            return period;
        }
        long opened = nanos - nanos % period;
        long closes = opened + lasting.toNanos();
        return nanos < closes ? closes : opened + period;
    }

    @Override
    public String toString() {
        return equals(NEVER) ? "never" : "every " + Durations.words(every) + " for " + Durations.words(lasting);
    }
}
