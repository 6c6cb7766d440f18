package dev.penstock.lab.probe.fit;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Fits throughput curves to samples and estimates the knee with a confidence interval.
 * <h2>Design note</h2>
 *
 * <p>Two models are fitted, because servers saturate in two ways: a connection pool or a fixed number of workers is a
 * hard cap ({@link CappedLine}); lock contention and coordination degrade throughput gradually ({@link UslCurve}). The
 * model with the smaller {@link Curve#aic} is chosen.
 *
 * <p>The confidence interval is by bootstrap. The residuals of the chosen curve are resampled with replacement and
 * added to the curve, and the whole fit is repeated, including the choice of the model: uncertainty about the model
 * widens the interval. The residuals contain both the spread of repeated measurements and what the model does not
 * explain. They are scaled by the square root of the sample's weight, and by sqrt(n / (n - k)) because the fit used k
 * degrees of freedom.
 *
 * <p>B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7 (1979), and "Estimation and
 * Accuracy after Model Selection", Journal of the American Statistical Association 109 (2014).
 *
 * @param chosen the curve with the smaller AIC
 * @param other the other curve
 * @param low lower end of the knee's 95 % confidence interval, 1 or more
 * @param high upper end; infinite when the samples do not bound it
 */
public record KneeFit(Curve chosen, Curve other, double low, double high) {
    /** With fewer concurrency levels, the models cannot be distinguished. */
    public static final int FEWEST_LEVELS = 3;

    private static final int DRAWS = 400;
    private static final double TAIL = 0.025;

    /**
     * Fits both models to the samples.
     *
     * @param samples in any order
     * @param seed the same seed gives the same interval
     * @return null with fewer than {@link #FEWEST_LEVELS} different concurrency levels
     */
    public static @Nullable KneeFit of(List<Sample> samples, long seed) {
        if (samples.stream().mapToDouble(Sample::concurrency).distinct().count() < FEWEST_LEVELS) {
            return null;
        }
        Curve usl = UslCurve.fit(samples);
        Curve line = CappedLine.fit(samples);
        if (usl == null || line == null) {
            return null;
        }
        boolean capped = isCapped(usl, line, samples);
        Curve chosen = capped ? line : usl;
        double[] knees = resampled(chosen, samples, new SplittableRandom(seed));
        return new KneeFit(
                chosen,
                capped ? usl : line,
                Math.min(chosen.knee(), knees[(int) (TAIL * DRAWS)]),
                Math.max(chosen.knee(), knees[(int) ((1 - TAIL) * DRAWS)]));
    }

    private static boolean isCapped(Curve usl, Curve line, List<Sample> samples) {
        return line.aic(samples) <= usl.aic(samples);
    }

    private static double[] resampled(Curve curve, List<Sample> samples, SplittableRandom random) {
        int n = samples.size();
        double more = Math.sqrt(n / (double) Math.max(1, n - curve.parameters()));
        double[] left = new double[n];
        for (int i = 0; i < n; i++) {
            Sample sample = samples.get(i);
            left[i] = more
                    * Math.sqrt(sample.weight())
                    * Math.log(sample.throughput() / curve.throughput(sample.concurrency()));
        }
        double[] knees = new double[DRAWS];
        Sample[] resampled = new Sample[n];
        for (int draw = 0; draw < DRAWS; draw++) {
            for (int i = 0; i < n; i++) {
                Sample sample = samples.get(i);
                double off = left[random.nextInt(n)] / Math.sqrt(sample.weight());
                resampled[i] = new Sample(
                        sample.concurrency(), curve.throughput(sample.concurrency()) * Math.exp(off), sample.weight());
            }
            knees[draw] = knee(List.of(resampled), curve.knee());
        }
        Arrays.sort(knees);
        return knees;
    }

    private static double knee(List<Sample> samples, double otherwise) {
        Curve usl = UslCurve.fit(samples);
        Curve line = CappedLine.fit(samples);
        return usl == null || line == null ? otherwise : isCapped(usl, line, samples) ? line.knee() : usl.knee();
    }
}
