package dev.penstock.races.collapse;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long a call takes: anything between the two, evenly, and so much more for each item. Immutable.
 *
 * @param least 0 or more
 * @param most not less
 * @param perItem 0 or more
 */
record SimulatedCallTime(Duration least, Duration most, Duration perItem) {
    /** Checks its range. */
    SimulatedCallTime {
        if (least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "a call takes 0 or more, not " + Durations.words(least) + " to " + Durations.words(most));
        }
    }

    static SimulatedCallTime ofMillis(int least, int most) {
        return new SimulatedCallTime(Duration.ofMillis(least), Duration.ofMillis(most), Duration.ZERO);
    }

    static SimulatedCallTime ofMillis(int millis) {
        return ofMillis(millis, millis);
    }

    /** The same, and so much more for each item. */
    SimulatedCallTime perItemMillis(int millis) {
        return new SimulatedCallTime(least, most, Duration.ofMillis(millis));
    }

    /** The mean of a call of one item. */
    Duration mean() {
        return least.plus(most).dividedBy(2).plus(perItem);
    }

    /** Of the call with this number, of so many items; the same seed, number and items, the same time. */
    long nanos(long seed, long number, int items) {
        return nanos(seed, number) + items * perItem.toNanos();
    }

    private long nanos(long seed, long number) {
        long from = least.toNanos();
        long to = most.toNanos();
        return from == to ? from : new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number).nextLong(from, to + 1);
    }

    /** For people, for instance {@code 5 ms to 25 ms}. */
    String words() {
        if (most.isZero()) {
            return "no time, whatever its size";
        }
        String base =
                least.equals(most) ? Durations.words(least) : Durations.words(least) + " to " + Durations.words(most);
        return perItem.isZero() ? base + ", whatever its size" : base + " and " + Durations.words(perItem) + " an item";
    }
}
