package dev.penstock.lab.probe.fit;

import java.util.List;

/** A model of throughput as a function of concurrency, with fitted parameters. Immutable. */
public sealed interface Curve permits UslCurve, CappedLine {
    /** Predicted answers per second at this concurrency; 1 or more. */
    double throughput(double concurrency);

    /** The concurrency beyond which throughput no longer grows (the knee); infinite when there is none. */
    double knee();

    /** The number of fitted parameters. */
    int parameters();

    /** The model's name in result files. */
    String model();

    /** The curve and its parameters as readable text. */
    String format();

    /**
     * The weighted mean of squared differences of logarithms between samples and curve. Logarithms weigh 1 % the same
     * at low and high rates, and make the value comparable between models.
     */
    default double misfit(List<Sample> samples) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            double off = Math.log(sample.throughput() / throughput(sample.concurrency()));
            sum += sample.weight() * off * off;
            weight += sample.weight();
        }
        return weight > 0 ? sum / weight : 0;
    }

    /**
     * Akaike's information criterion with the correction for small samples; smaller is better. Computed on the samples'
     * logarithms (see {@link #misfit}), because AIC compares only models of the same response.
     *
     * <p>H. Akaike, "A New Look at the Statistical Model Identification", IEEE Transactions on Automatic Control 19
     * (1974); the correction is by C. Hurvich and C.-L. Tsai, "Regression and Time Series Model Selection in Small
     * Samples", Biometrika 76 (1989).
     */
    default double aic(List<Sample> samples) {
        int n = samples.size();
        int k = parameters() + 1; // plus the noise variance
        double few = n - k - 1 > 0 ? 2.0 * k * (k + 1) / (n - k - 1) : Double.POSITIVE_INFINITY;
        return n * Math.log(misfit(samples) + FLOOR) + 2.0 * k + few;
    }

    /**
     * Measured rates are not more accurate than 0.1 %. Without this floor, noise-free samples would make any difference
     * decisive.
     */
    double FLOOR = 1e-6;
}
