package dev.penstock.lab.load;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * When transactions are due: how their rate goes over time, and how regular they are. Immutable.
 *
 * <h2>Design note</h2>
 *
 * <p>There is one idea for all shapes. Arrivals are made for a rate of 1, evenly (0, 1, 2, ...) or at random (sums of
 * exponential gaps), and each is then carried over to the time at which the shape's rate has added up to it; that is how a
 * Poisson process of any rate is made from one of rate 1 (inversion; L. Devroye, Non-Uniform Random Variate Generation,
 * 1986, chapter VI). So the number that is due in any stretch of time follows from the shape, however regular they are.
 */
public sealed interface Arrivals {
    /** How their rate goes over time. */
    Shape shape();

    /**
     * When they are due, one after another, in nanoseconds since the start; never less than the one before. {@link
     * Long#MAX_VALUE} when nothing is due any more. Asking for the next one allocates nothing.
     */
    LongSupplier offsets();

    /**
     * One every so often; the first at once.
     *
     * @param perSecond above 0, at most {@link Shape#MOST}
     */
    static Arrivals constant(double perSecond) {
        return even(Shape.flat(perSecond));
    }

    /**
     * At random, as from many callers who do not know each other.
     *
     * @param perSecond above 0, at most {@link Shape#MOST}
     * @param seed the same seed, the same times
     */
    static Arrivals poisson(double perSecond, long seed) {
        return poisson(Shape.flat(perSecond), seed);
    }

    /**
     * As regular as can be: in any stretch of time as many as its rate adds up to, to the next whole number.
     *
     * @param shape how the rate goes over time
     */
    static Arrivals even(Shape shape) {
        return new Even(shape);
    }

    /**
     * At random, as from many callers who do not know each other, more of them when the rate is higher.
     *
     * @param shape how the rate goes over time
     * @param seed the same seed, the same times
     */
    static Arrivals poisson(Shape shape, long seed) {
        return new Poisson(shape, seed);
    }

    /**
     * Evenly spaced.
     *
     * @param shape how the rate goes over time
     */
    record Even(Shape shape) implements Arrivals {
        @Override
        public LongSupplier offsets() {
            DueTime due = new DueTime(shape);
            // From the count each time, so that rounding does not add up to a drift.
            return new LongSupplier() {
                private long count;

                @Override
                public long getAsLong() {
                    return due.of((double) count++);
                }
            };
        }

        @Override
        public String toString() {
            return before(shape) + "evenly spaced";
        }
    }

    /**
     * Exponential gaps.
     *
     * @param shape how the rate goes over time
     * @param seed the same seed, the same times
     */
    record Poisson(Shape shape, long seed) implements Arrivals {
        @Override
        public LongSupplier offsets() {
            DueTime due = new DueTime(shape);
            SplittableRandom random = new SplittableRandom(seed);
            return new LongSupplier() {
                private double count;

                @Override
                public long getAsLong() {
                    count += random.nextExponential();
                    return due.of(count);
                }
            };
        }

        @Override
        public String toString() {
            return before(shape) + "at random (Poisson)";
        }
    }

    private static String before(Shape shape) {
        return shape + (shape.segments().isEmpty() ? " " : ", ");
    }
}
