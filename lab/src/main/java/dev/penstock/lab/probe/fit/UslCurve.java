package dev.penstock.lab.probe.fit;

import dev.penstock.lab.report.Figures;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The universal scalability law: calls contend (sigma) and coordinate (kappa),
 * {@code X = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))}. Throughput peaks at {@code sqrt((1 - sigma) / kappa)}
 * and falls beyond.
 * <h2>Design note</h2>
 *
 * <p>The time of a call, {@code R = N / X}, is linear in the unknowns: {@code R = p0 + p1 (N - 1) + p2 N (N - 1)}, with
 * p0 = 1 / lambda, p1 = sigma / lambda, p2 = kappa / lambda. It is fitted by non-negative linear least squares. Each
 * sample weighs {@code weight / R^2}, because its error is relative, not absolute. With three unknowns, all subsets of
 * zero parameters are tried: the best non-negative solution is the optimum, as Lawson and Hanson show ("Solving Least
 * Squares Problems", 1974, chapter 23).
 *
 * <p>N. Gunther, "Guerrilla Capacity Planning", 2007, and "A General Theory of Computational Scalability Based on
 * Rational Functions", 2008.
 *
 * @param p0 seconds of a call without concurrency
 * @param p1 seconds added per other concurrent call (contention)
 * @param p2 seconds added per pair of concurrent calls (coherence)
 */
public record UslCurve(double p0, double p1, double p2) implements Curve {
    private static final int UNKNOWN = 3;

    /**
     * Fits the curve to the samples.
     *
     * @return null without samples, or when the best fit has no positive call time
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
            double seconds = sample.concurrency() / sample.throughput();
            double off = (seconds - seconds(sample.concurrency())) / seconds;
            sum += sample.weight() * off * off;
        }
        return sum;
    }

    /**
     * The best fit with only the parameters in the bit set {@code used}; null when the system is singular, a parameter
     * is negative, or p0 is not positive.
     */
    private static double @Nullable [] solved(List<Sample> samples, int used) {
        double most = samples.stream()
                .mapToDouble(Sample::concurrency)
                .max()
                .orElse(1); // scales the columns to similar magnitudes
        double[][] normal = new double[UNKNOWN][UNKNOWN + 1];
        for (Sample sample : samples) {
            double seconds = sample.concurrency() / sample.throughput();
            double others = (sample.concurrency() - 1) / most;
            double[] x = {1 / seconds, others / seconds, sample.concurrency() / most * others / seconds, 1};
            for (int row = 0; row < UNKNOWN; row++) {
                for (int column = 0; column <= UNKNOWN; column++) {
                    normal[row][column] += sample.weight() * x[row] * x[column];
                }
            }
        }
        for (int i = 0; i < UNKNOWN; i++) {
            if ((used & 1 << i) == 0) {
                // Removed from all equations, so that the parameter is exactly 0 and not a rounding error.
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

    private double seconds(double concurrency) {
        return p0 + p1 * (concurrency - 1) + p2 * concurrency * (concurrency - 1);
    }

    /** Contention: the share of a call's time during which it blocks the others. */
    public double sigma() {
        return p1 / p0;
    }

    /** Coherence: the share of a call's time spent on coordination with each other call. */
    public double kappa() {
        return p2 / p0;
    }

    @Override
    public double throughput(double concurrency) {
        return concurrency / seconds(concurrency);
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
    public String format() {
        return "%s/s alone, contention %s %%, coherence %s %%"
                .formatted(Figures.number(1 / p0), Figures.number(100 * sigma()), Figures.number(100 * kappa()));
    }
}
