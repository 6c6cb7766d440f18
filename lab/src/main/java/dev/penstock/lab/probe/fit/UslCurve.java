package dev.penstock.lab.probe.fit;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The universal scalability law: calls wait for each other, and spend time to agree, {@code X = lambda N / (1 + sigma (N - 1) + kappa
 * N (N - 1))}. It has its top at {@code sqrt((1 - sigma) / kappa)}, and falls beyond.
 *
 * <h2>Design note</h2>
 *
 * <p>The time that a call takes, {@code R = N / X}, is linear in what is unknown: {@code R = p0 + p1 (N - 1) + p2 N (N - 1)}, with p0 = 1 /
 * lambda, p1 = sigma / lambda, p2 = kappa / lambda. So it is fitted by linear least squares under the bound that nothing is negative, and
 * each sample weighs {@code weight / R^2}, for it is known to a share and not to a millisecond. With three unknowns all eight choices of
 * those that are 0 are tried: the best one without a negative number is the optimum, as Lawson and Hanson show ("Solving Least
 * Squares Problems", 1974, chapter 23).
 *
 * <p>N. Gunther, "Guerrilla Capacity Planning", 2007, and "A General Theory of Computational Scalability Based on Rational Functions", 2008.
 *
 * @param p0 seconds that a call takes alone
 * @param p1 seconds more for each other call at once: they wait for one another
 * @param p2 seconds more for each pair of them: they have to agree
 */
public record UslCurve(double p0, double p1, double p2) implements Curve {
    private static final int UNKNOWN = 3;

    /**
     * The one closest to the samples.
     *
     * @return null when there are none, or they say that a call takes no time
     */
    public static @Nullable UslCurve fit(List<Sample> samples) {
        UslCurve best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int used = 1; used < 1 << UNKNOWN; used++) {
            double[] p = solved(samples, used);
            if (p == null) {
                continue;
            }
            UslCurve curve = new UslCurve(p[0], p[1], p[2]);
            double off = curve.off(samples);
            if (off < least * (1 - 1e-9)) {
                least = off;
                best = curve;
            }
        }
        return best;
    }

    private double off(List<Sample> samples) {
        double sum = 0;
        for (Sample sample : samples) {
            double seconds = sample.atOnce() / sample.perSecond();
            double off = (seconds - seconds(sample.atOnce())) / seconds;
            sum += sample.weight() * off * off;
        }
        return sum;
    }

    /** The best with only the used ones not 0; null when there is none, or one is negative, or a call takes no time at some place. */
    private static double @Nullable [] solved(List<Sample> samples, int used) {
        double most =
                samples.stream().mapToDouble(Sample::atOnce).max().orElse(1); // as the unit, all columns are alike
        double[][] normal = new double[UNKNOWN][UNKNOWN + 1];
        for (Sample sample : samples) {
            double seconds = sample.atOnce() / sample.perSecond();
            double others = (sample.atOnce() - 1) / most;
            double[] x = {1 / seconds, others / seconds, sample.atOnce() / most * others / seconds, 1};
            for (int row = 0; row < UNKNOWN; row++) {
                for (int column = 0; column <= UNKNOWN; column++) {
                    normal[row][column] += sample.weight() * x[row] * x[column];
                }
            }
        }
        for (int i = 0; i < UNKNOWN; i++) {
            if ((used & 1 << i) == 0) {
                // Out of all equations, so that it comes out as 0 and not as what rounding leaves of it.
                for (double[] row : normal) {
                    row[i] = 0;
                }
                normal[i] = new double[UNKNOWN + 1];
                normal[i][i] = 1;
            }
        }
        double[] p = LinearSystem.solve(normal);
        return p != null && p[0] > 0 && p[1] >= 0 && p[2] >= 0
                ? new double[] {p[0], p[1] / most, p[2] / (most * most)}
                : null;
    }

    private double seconds(double atOnce) {
        return p0 + p1 * (atOnce - 1) + p2 * atOnce * (atOnce - 1);
    }

    /** The share of a call's time in which it keeps the others waiting. */
    public double sigma() {
        return p1 / p0;
    }

    /** The share of a call's time that it spends on each pair. */
    public double kappa() {
        return p2 / p0;
    }

    @Override
    public double perSecond(double atOnce) {
        return atOnce / seconds(atOnce);
    }

    @Override
    public double knee() {
        return p2 > 0 ? Math.max(1, Math.sqrt(Math.max(0, p0 - p1) / p2)) : p1 >= p0 ? 1 : Double.POSITIVE_INFINITY;
    }

    @Override
    public int parameters() {
        return UNKNOWN;
    }

    @Override
    public String model() {
        return "usl";
    }

    @Override
    public String words() {
        return String.format(
                Locale.ROOT, "%.3g a second alone, contention %.3g, coherence %.3g", 1 / p0, sigma(), kappa());
    }
}
