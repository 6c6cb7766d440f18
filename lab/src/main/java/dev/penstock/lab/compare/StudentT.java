package dev.penstock.lab.compare;

/**
 * Student's t distribution, for any degrees of freedom: Welch's are rarely integers.
 *
 * <p>The logarithm of its quantile, relative to that of the normal distribution, is a smooth function of 1 / degrees: here a
 * polynomial through the exact values at seven Chebyshev nodes between 0 and 1. Accurate to 4 millionths.
 */
final class StudentT {
    /** The half-width for infinitely many degrees: the normal distribution. */
    private static final double NORMAL = 1.959963984540054;

    /** The coefficients, from that of 1 / degrees on. */
    private static final double[] FIT = {1.210365, 0.707551, 0.1526917, -0.2368725, -0.06260558, 0.1464296, -0.04839794
    };

    private StudentT() {}

    /**
     * The half-width around 0 that contains 95 % of the distribution.
     *
     * @param degrees of freedom, at least 1
     */
    static double within95(double degrees) {
        double sum = 0;
        for (int i = FIT.length - 1; i >= 0; i--) {
            sum = (sum + FIT[i]) / degrees;
        }
        return NORMAL * Math.exp(sum);
    }
}
