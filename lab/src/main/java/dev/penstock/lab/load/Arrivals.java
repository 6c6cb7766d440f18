package dev.penstock.lab.load;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/** When transactions are due: a rate, and how regular it is. Immutable. */
public sealed interface Arrivals {
    /** The highest rate, for each second. */
    double MOST = 1_000_000;

    /** How many for each second, on average. */
    double perSecond();

    /** When they are due, one after another, in nanoseconds since the start; never less than the one before. */
    LongSupplier offsets();

    /**
     * One every so often; the first at once.
     *
     * @param perSecond above 0, at most {@link #MOST}
     */
    static Arrivals constant(double perSecond) {
        return new Constant(perSecond);
    }

    /**
     * At random, as from many callers who do not know each other.
     *
     * @param perSecond above 0, at most {@link #MOST}
     * @param seed the same seed, the same times
     */
    static Arrivals poisson(double perSecond, long seed) {
        return new Poisson(perSecond, seed);
    }

    /**
     * Evenly spaced.
     *
     * @param perSecond above 0, at most {@link #MOST}
     */
    record Constant(double perSecond) implements Arrivals {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when the rate is out of range
         */
        public Constant {
            check(perSecond);
        }

        @Override
        public LongSupplier offsets() {
            // From the count each time, so that rounding does not add up to a drift.
            return new LongSupplier() {
                private long count;

                @Override
                public long getAsLong() {
                    return (long) (count++ * 1e9 / perSecond);
                }
            };
        }

        @Override
        public String toString() {
            return rate(perSecond) + " evenly spaced";
        }
    }

    /**
     * Exponential times between one and the next.
     *
     * @param perSecond above 0, at most {@link #MOST}
     * @param seed the same seed, the same times
     */
    record Poisson(double perSecond, long seed) implements Arrivals {
        /**
         * Checks the range.
         *
         * @throws IllegalArgumentException when the rate is out of range
         */
        public Poisson {
            check(perSecond);
        }

        @Override
        public LongSupplier offsets() {
            SplittableRandom random = new SplittableRandom(seed);
            return new LongSupplier() {
                private double at;

                @Override
                public long getAsLong() {
                    at += random.nextExponential() * 1e9 / perSecond;
                    return (long) at;
                }
            };
        }

        @Override
        public String toString() {
            return rate(perSecond) + " at random (Poisson)";
        }
    }

    private static String rate(double perSecond) {
        return (perSecond == Math.rint(perSecond) ? String.valueOf((long) perSecond) : String.valueOf(perSecond))
                + "/s";
    }

    private static void check(double perSecond) {
        if (!(perSecond > 0 && perSecond <= MOST)) {
            throw new IllegalArgumentException(
                    "a rate is above 0 and at most 1000000 transactions for each second, not " + perSecond);
        }
    }
}
