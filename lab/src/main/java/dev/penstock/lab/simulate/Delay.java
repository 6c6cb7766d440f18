package dev.penstock.lab.simulate;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay distribution of a simulated dependency. Values are from 0 to one hour.
 *
 * <p>Immutable; draws from the given generator, which need not be thread-safe if only one thread draws.
 */
public sealed interface Delay {
    /** The maximum delay. */
    Duration MAX = Duration.ofHours(1);

    /** No delay. */
    Delay NONE = new Constant(Duration.ZERO);

    /**
     * Draws the next delay.
     *
     * @param random the random generator
     * @return nanoseconds, 0 to one hour
     */
    long nanos(RandomGenerator random);

    /**
     * A constant delay.
     *
     * @param time 0 to one hour
     */
    record Constant(Duration time) implements Delay {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when the time is out of range
         */
        public Constant {
            check(time);
        }

        @Override
        public long nanos(RandomGenerator random) {
            return time.toNanos();
        }

        @Override
        public String toString() {
            return Durations.format(time);
        }
    }

    /**
     * A uniform distribution.
     *
     * @param middle the mean, 0 to one hour
     * @param spread the maximum deviation, 0 to {@code middle}
     */
    record Spread(Duration middle, Duration spread) implements Delay {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when a time is out of range
         */
        public Spread {
            check(middle);
            check(spread);
            if (spread.compareTo(middle) > 0) {
                throw new IllegalArgumentException("a spread of " + Durations.format(spread) + " around a delay of "
                        + Durations.format(middle) + " would be below zero: use a spread of at most the delay");
            }
        }

        @Override
        public long nanos(RandomGenerator random) {
            long either = spread.toNanos();
            return atMost(middle.toNanos() - either + random.nextLong(2 * either + 1));
        }

        @Override
        public String toString() {
            return Durations.format(middle) + " +-" + Durations.format(spread);
        }
    }

    /**
     * An exponential distribution: mostly short, sometimes several times the mean.
     *
     * @param mean 0 to one hour
     */
    record Exponential(Duration mean) implements Delay {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when the mean is out of range
         */
        public Exponential {
            check(mean);
        }

        @Override
        public long nanos(RandomGenerator random) {
            return atMost((long) (random.nextExponential() * mean.toNanos()));
        }

        @Override
        public String toString() {
            return "exponential, mean " + Durations.format(mean);
        }
    }

    /**
     * A lognormal distribution: typical of response times of real dependencies.
     *
     * @param median above 0, at most one hour
     * @param p99 the 99th percentile; {@code median} to one hour
     */
    record LogNormal(Duration median, Duration p99) implements Delay {
        /** The 99th percentile of the standard normal distribution. */
        private static final double P99 = 2.3263478740408408;

        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when a time is out of range
         */
        public LogNormal {
            check(median);
            check(p99);
            if (median.isZero() || p99.compareTo(median) < 0) {
                throw new IllegalArgumentException("a lognormal delay needs 0 < median <= p99, not median "
                        + Durations.format(median) + " and p99 " + Durations.format(p99));
            }
        }

        @Override
        public long nanos(RandomGenerator random) {
            double sigma = Math.log((double) p99.toNanos() / median.toNanos()) / P99;
            return atMost((long) (median.toNanos() * Math.exp(sigma * random.nextGaussian())));
        }

        @Override
        public String toString() {
            return "lognormal, median " + Durations.format(median) + ", p99 " + Durations.format(p99);
        }
    }

    private static long atMost(long nanos) {
        return Math.min(nanos, MAX.toNanos());
    }

    private static void check(Duration time) {
        if (time.isNegative() || time.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "a delay must be 0 to " + Durations.format(MAX) + ", not " + Durations.format(time));
        }
    }
}
