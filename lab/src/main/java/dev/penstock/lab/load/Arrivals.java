package dev.penstock.lab.load;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The arrival times of an open-model load: the rate over time, and the regularity. Immutable.
 * <h2>Design note</h2>
 *
 * <p>All shapes use one method. Arrivals are generated for rate 1, evenly (0, 1, 2, ...) or at random (sums of
 * exponential gaps). Each is then mapped to the time at which the integral of the shape's rate reaches it. This makes a
 * Poisson process of any rate from one of rate 1 (inversion; L. Devroye, Non-Uniform Random Variate Generation, 1986,
 * chapter VI). So the expected number of arrivals in any interval depends on the shape only.
 */
public sealed interface Arrivals {
    /** The rate over time. */
    Shape shape();

    /**
     * The arrival times in ascending order, in nanoseconds since the start. {@link Long#MAX_VALUE} after the last one.
     * Getting the next one allocates nothing.
     */
    LongSupplier offsets();

    /**
     * Evenly spaced at a constant rate; the first at time 0.
     *
     * @param perSecond above 0, at most {@link Shape#MAX}
     */
    static Arrivals constant(double perSecond) {
        return even(Shape.flat(perSecond));
    }

    /**
     * A Poisson process, as of many independent callers.
     *
     * @param perSecond above 0, at most {@link Shape#MAX}
     * @param seed the same seed gives the same times
     */
    static Arrivals poisson(double perSecond, long seed) {
        return poisson(Shape.flat(perSecond), seed);
    }

    /**
     * As even as possible: each interval has as many arrivals as the integral of its rate, rounded.
     *
     * @param shape the rate over time
     */
    static Arrivals even(Shape shape) {
        return new Even(shape);
    }

    /**
     * An inhomogeneous Poisson process, as of many independent callers.
     *
     * @param shape the rate over time
     * @param seed the same seed gives the same times
     */
    static Arrivals poisson(Shape shape, long seed) {
        return new Poisson(shape, seed);
    }

    /**
     * Evenly spaced.
     *
     * @param shape the rate over time
     */
    record Even(Shape shape) implements Arrivals {
        @Override
        public LongSupplier offsets() {
            DueTime due = new DueTime(shape);
            // Computed from the count each time, so that rounding errors do not accumulate.
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
     * With exponential gaps.
     *
     * @param shape the rate over time
     * @param seed the same seed gives the same times
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
            return before(shape) + "Poisson arrivals";
        }
    }

    private static String before(Shape shape) {
        return shape + (shape.segments().isEmpty() ? " " : ", ");
    }
}
