package dev.penstock.lab.simulate;

import dev.penstock.text.Durations;
import java.time.Duration;

/**
 * A periodic schedule of fault windows; the first opens after one whole period. Pure, without a clock of its own.
 *
 * <p>Window <i>n</i>, from 1, lasts from <i>n</i> x {@code every} (inclusive) to <i>n</i> x {@code every} +
 * {@code lasting} (exclusive). All times are nanoseconds since the simulator's start.
 *
 * @param every the period; above 0, at most 36,500 days
 * @param lasting the duration of a window; above 0, at most {@code every}
 */
public record FaultSchedule(Duration every, Duration lasting) {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** No window for a hundred years. */
    public static final FaultSchedule NEVER = new FaultSchedule(LONGEST, Duration.ofNanos(1));

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException when a time is out of range; the message says what to do
     */
    public FaultSchedule {
        if (every.isNegative() || every.isZero() || every.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "faults every " + Durations.format(every) + ": use a time above 0, for instance 10s");
        }
        if (lasting.isNegative() || lasting.isZero() || lasting.compareTo(every) > 0) {
            throw new IllegalArgumentException("faults for " + Durations.format(lasting) + " every "
                    + Durations.format(every) + ": use a time above 0 and at most the period");
        }
    }

    /** The number of the window open at this time, from 1; 0 when none is open. */
    public long window(long nanos) {
        long period = every.toNanos();
        return nanos >= period && nanos % period < lasting.toNanos() ? nanos / period : 0;
    }

    /** The next time at which a window opens or closes. */
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
        return equals(NEVER) ? "never" : "every " + Durations.format(every) + " for " + Durations.format(lasting);
    }
}
