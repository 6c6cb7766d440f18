package dev.penstock.lab.probe.fit;

import java.util.List;

/** Answers a second by calls at once, as a model with its parameters says. Immutable. */
public sealed interface Curve permits UslCurve, CappedLine {
    /** Answers a second with so many at once; 1 or more. */
    double perSecond(double atOnce);

    /** The number at once from which on more gives nothing; infinite when there is none. */
    double knee();

    /** How many numbers were fitted. */
    int parameters();

    /** What the model is called in result files. */
    String model();

    /** What it says, with its numbers, for people. */
    String words();

    /**
     * How far the samples are from it: the weighted mean of the squared differences of logarithms, so that 1 % counts the same at
     * a low rate and at a high one, and for either model.
     */
    default double misfit(List<Sample> samples) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            double off = Math.log(sample.perSecond() / perSecond(sample.atOnce()));
            sum += sample.weight() * off * off;
            weight += sample.weight();
        }
        return weight > 0 ? sum / weight : 0;
    }

    /**
     * Akaike's information criterion with the correction for few samples; smaller is better. Of the samples' logarithms, see
     * {@link #misfit}: two models may only be compared by what they say of one and the same response.
     *
     * <p>H. Akaike, "A New Look at the Statistical Model Identification", IEEE Transactions on Automatic Control 19 (1974); the
     * correction is by C. Hurvich and C.-L. Tsai, "Regression and Time Series Model Selection in Small Samples", Biometrika 76 (1989).
     */
    default double aic(List<Sample> samples) {
        int n = samples.size();
        int k = parameters() + 1; // and the noise
        double few = n - k - 1 > 0 ? 2.0 * k * (k + 1) / (n - k - 1) : Double.POSITIVE_INFINITY;
        return n * Math.log(misfit(samples) + FLOOR) + 2.0 * k + few;
    }

    /** Nobody measures a rate closer than 0.1 %: without this, samples without noise would make any difference decisive. */
    double FLOOR = 1e-6;
}
