package dev.penstock.races.collapse;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The time of a call: uniformly distributed between two bounds, plus a time per item. Immutable.
 *
 * @param least 0 or more
 * @param most at least {@code least}
 * @param perItem 0 or more
 */
record SimulatedCallTime(Duration least, Duration most, Duration perItem) {
    /** Checks the range. */
    SimulatedCallTime {
        if (least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException("the time of a call must be 0 or more, not " + Durations.format(least)
                    + " to " + Durations.format(most));
        }
    }

    static SimulatedCallTime ofMillis(int least, int most) {
        return new SimulatedCallTime(Duration.ofMillis(least), Duration.ofMillis(most), Duration.ZERO);
    }

    static SimulatedCallTime ofMillis(int millis) {
        return ofMillis(millis, millis);
    }

    /** A copy with this time per item. */
    SimulatedCallTime perItemMillis(int millis) {
        return new SimulatedCallTime(least, most, Duration.ofMillis(millis));
    }

    /** The mean time of a call with one item. */
    Duration mean() {
        return least.plus(most).dividedBy(2).plus(perItem);
    }

    /** The time of the call with this number and size; reproducible from seed, number and size. */
    long nanos(long seed, long number, int items) {
        return nanos(seed, number) + items * perItem.toNanos();
    }

    private long nanos(long seed, long number) {
        long from = least.toNanos();
        long to = most.toNanos();
        return from == to ? from : new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number).nextLong(from, to + 1);
    }

    /** Readable, for instance {@code 5 ms to 25 ms}. */
    String describe() {
        if (most.isZero()) {
            return "no time, independent of its size";
        }
        String base = least.equals(most)
                ? Durations.format(least)
                : Durations.format(least) + " to " + Durations.format(most);
        return perItem.isZero()
                ? base + ", independent of its size"
                : base + " plus " + Durations.format(perItem) + " per item";
    }
}
