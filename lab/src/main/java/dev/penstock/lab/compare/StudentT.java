package dev.penstock.lab.compare;

/**
 * Student's t distribution, for any degrees of freedom: Welch's are rarely integers.
 *
 * <p>The cumulative probability is a regularized incomplete beta function (Digital Library of Mathematical Functions,
 * 8.17), computed from its continued fraction (8.17.22) by Lentz's method; quantiles are found by bisection. Accurate
 * to about 10 digits.
 */
final class StudentT {
    /** Beyond this, the distribution differs from the normal distribution by less than a millionth. */
    private static final double MAX_DEGREES = 1e6;

    private static final int MAX_TERMS = 10_000;
    private static final double TINY = 1e-300;
    private static final double EXACT = 1e-15;

    private StudentT() {}

    /** The half-width around 0 that contains 95 % of the distribution. */
    static double within95(double degrees) {
        return quantile(0.975, degrees);
    }

    /**
     * The quantile of a probability.
     *
     * @param probability at least 0.5 and below 1
     * @param degrees of freedom, at least 1
     */
    static double quantile(double probability, double degrees) {
        double low = 0;
        double high = 1;
        while (cumulative(high, degrees) < probability) {
            high *= 2;
        }
        while (high - low > EXACT * high) {
            double middle = (low + high) / 2;
            if (middle <= low || middle >= high) {
                break;
            }
            if (cumulative(middle, degrees) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The probability of a value of at most this one; for values of 0 and more. */
    static double cumulative(double value, double degrees) {
        double n = Math.min(degrees, MAX_DEGREES);
        double square = value * value;
        return 1 - incompleteBeta(n / 2, 0.5, n / (n + square), square / (n + square)) / 2;
    }

    /** The regularized incomplete beta function at x; y = 1 - x is passed too, to keep its precision. */
    private static double incompleteBeta(double a, double b, double x, double y) {
        if (x <= 0 || y <= 0) {
            return x <= 0 ? 0 : 1;
        }
        double front = Math.exp(a * Math.log(x) + b * Math.log(y) + logGamma(a + b) - logGamma(a) - logGamma(b));
        // The fraction converges fast below the mean of the distribution; above it, its mirror image does.
        return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, y) / b;
    }

    private static double fraction(double a, double b, double x) {
        double c = 1;
        double d = 1 / awayFromZero(1 - (a + b) * x / (a + 1));
        double value = d;
        for (int m = 1; m < MAX_TERMS; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / awayFromZero(1 + even * d);
            c = awayFromZero(1 + even / c);
            value *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / awayFromZero(1 + odd * d);
            c = awayFromZero(1 + odd / c);
            value *= d * c;
            if (Math.abs(d * c - 1) < EXACT) {
                break;
            }
        }
        return value;
    }

    private static double awayFromZero(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /** Stirling's series (Digital Library of Mathematical Functions, 5.11.1) from 10 on; below 10 by the recurrence. */
    private static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift += Math.log(z);
            z += 1;
        }
        double w = 1 / (z * z);
        double series = (1.0 / 12 - w * (1.0 / 360 - w * (1.0 / 1260 - w * (1.0 / 1680 - w / 1188)))) / z;
        return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
    }
}
