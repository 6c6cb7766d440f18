package dev.penstock.lab.probe.fit;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which curve samples lie on, and where it bends.
 *
 * <h2>Design note</h2>
 *
 * <p>Two models are fitted, for peers bend in two ways: a pool or a number of workers is a hard cap ({@link CappedLine}), locks and
 * what has to be agreed on are a slow one ({@link UslCurve}). The smaller {@link Curve#aic} is chosen.
 *
 * <p>The interval is by the bootstrap: what is left between samples and the chosen curve is drawn anew with replacement, put on
 * the curve, and all is done again, the choice of the model with it, so that a doubt between models makes the interval wider. What
 * is left holds both the spread of repeated measurements and what the model does not explain. It is drawn in units of a sample's
 * weight, and larger by sqrt(n / (n - k)), because the fit has used up k degrees of freedom.
 *
 * <p>B. Efron, "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7 (1979), and "Estimation and Accuracy after
 * Model Selection", Journal of the American Statistical Association 109 (2014).
 *
 * @param chosen the curve with the smaller criterion
 * @param other the other one
 * @param low lower end of the 95 % interval of the knee, 1 or more
 * @param high upper end; infinite when it cannot be told
 */
public record KneeFit(Curve chosen, Curve other, double low, double high) {
    /** Fewer levels tell no model from another. */
    public static final int FEWEST_LEVELS = 3;

    private static final int DRAWS = 400;
    private static final double TAIL = 0.025;

    /**
     * The fit.
     *
     * @param samples in any order
     * @param seed the same seed, the same interval
     * @return null when there are fewer than {@link #FEWEST_LEVELS} different numbers at once
     */
    public static @Nullable KneeFit of(List<Sample> samples, long seed) {
        if (samples.stream().mapToDouble(Sample::atOnce).distinct().count() < FEWEST_LEVELS) {
            return null;
        }
        Curve usl = UslCurve.fit(samples);
        Curve line = CappedLine.fit(samples);
        if (usl == null || line == null) {
            return null;
        }
        boolean capped = isCapped(usl, line, samples);
        Curve chosen = capped ? line : usl;
        double[] knees = drawn(chosen, samples, new SplittableRandom(seed));
        return new KneeFit(
                chosen,
                capped ? usl : line,
                Math.min(chosen.knee(), knees[(int) (TAIL * DRAWS)]),
                Math.max(chosen.knee(), knees[(int) ((1 - TAIL) * DRAWS)]));
    }

    private static boolean isCapped(Curve usl, Curve line, List<Sample> samples) {
        return line.aic(samples) <= usl.aic(samples);
    }

    private static double[] drawn(Curve curve, List<Sample> samples, SplittableRandom random) {
        int n = samples.size();
        double more = Math.sqrt(n / (double) Math.max(1, n - curve.parameters()));
        double[] left = new double[n];
        for (int i = 0; i < n; i++) {
            Sample sample = samples.get(i);
            left[i] =
                    more * Math.sqrt(sample.weight()) * Math.log(sample.perSecond() / curve.perSecond(sample.atOnce()));
        }
        double[] knees = new double[DRAWS];
        Sample[] drawn = new Sample[n];
        for (int draw = 0; draw < DRAWS; draw++) {
            for (int i = 0; i < n; i++) {
                Sample sample = samples.get(i);
                double off = left[random.nextInt(n)] / Math.sqrt(sample.weight());
                drawn[i] =
                        new Sample(sample.atOnce(), curve.perSecond(sample.atOnce()) * Math.exp(off), sample.weight());
            }
            knees[draw] = knee(List.of(drawn), curve.knee());
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
