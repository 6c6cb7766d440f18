package dev.penstock.races.collapse;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long a call takes, whatever its size: anything between the two, evenly. Immutable.
 *
 * @param least 0 or more
 * @param most not less
 */
record CallTime(Duration least, Duration most) {
    /** Checks its range. */
    CallTime {
        if (least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    "a call takes 0 or more, not " + Durations.words(least) + " to " + Durations.words(most));
        }
    }

    static CallTime ofMillis(int least, int most) {
        return new CallTime(Duration.ofMillis(least), Duration.ofMillis(most));
    }

    static CallTime ofMillis(int millis) {
        return ofMillis(millis, millis);
    }

    /** The mean. */
    Duration mean() {
        return least.plus(most).dividedBy(2);
    }

    /** Of the call with this number; the same seed and number, the same time. */
    long nanos(long seed, long number) {
        long from = least.toNanos();
        long to = most.toNanos();
        return from == to ? from : new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number).nextLong(from, to + 1);
    }

    /** For people, for instance {@code 5 ms to 25 ms}. */
    String words() {
        if (most.isZero()) {
            return "no time";
        }
        return least.equals(most) ? Durations.words(least) : Durations.words(least) + " to " + Durations.words(most);
    }
}
