package dev.penstock.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of ours to the other, with a 95 % confidence interval.
 *
 * <p>An unbounded end of the interval is 0 or {@link Double#MAX_VALUE}, never infinite: JSON has no infinity.
 * <h2>Design note</h2>
 *
 * <p>Times and rates are positive, skewed and differ by factors, so their logarithms are compared: the mean difference
 * of logarithms is the logarithm of the ratio of geometric means, and swapping the two sides inverts the ratio and its
 * interval. The interval is Student's ("The Probable Error of a Mean", Biometrika 1908) for blocks paired by round, and
 * Welch's ("The generalization of Student's problem", Biometrika 1947), which does not assume equal variances, for
 * unpaired blocks. Counts of occurrences may be 0: 0.5 is added to each (Haldane 1956, Anscombe 1956).
 *
 * @param ratio ours / other
 * @param low the lower end of the interval
 * @param high the upper end
 * @param samples the number of blocks, of the side with fewer
 */
public record Ratio(double ratio, double low, double high, int samples) {
    /**
     * Two runs of the same system on the same machine differ by up to this factor: 12 pairs of 8 s each had median times
     * of 0.88 to 1.05 of each other.
     */
    static final double BETWEEN_RUNS = 1.15;

    /** Added to each count of occurrences. */
    private static final double FOR_ZERO = 0.5;

    /**
     * The geometric mean of the ratios of pairs, with Student's interval. Pairs with a missing value (null or NaN) are
     * omitted, and so are pairs with a value not above 0, unless it counts occurrences.
     *
     * @param ours one value per round; with one round the interval is unbounded
     * @param other the same, in the same order
     * @param count whether it counts occurrences, and so may be 0
     * @return empty when no pair remains
     * @throws IllegalArgumentException when the two differ in size
     */
    public static Optional<Ratio> paired(
            List<? extends @Nullable Double> ours, List<? extends @Nullable Double> other, boolean count) {
        if (ours.size() != other.size()) {
            throw new IllegalArgumentException(ours.size() + " values cannot be paired with " + other.size());
        }
        List<Double> logs = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            double difference = log(ours.get(i), count) - log(other.get(i), count);
            if (!Double.isNaN(difference)) {
                logs.add(difference);
            }
        }
        if (logs.isEmpty()) {
            return Optional.empty();
        }
        Sample differences = Sample.of(logs);
        return Optional.of(of(differences.mean(), differences.errorSquare(), differences.size() - 1, logs.size()));
    }

    /**
     * The ratio of the geometric means, with Welch's interval. Where a side has one value only, the interval assumes that
     * it varies as the other side does, or by 15 % if that has one value too. Missing values (null or NaN) are omitted, and so are
     * values not above 0, unless they count occurrences.
     *
     * @param ours the values of one side, in any order
     * @param other those of the other
     * @param count whether they count occurrences, and so may be 0
     * @return empty when a side has no value
     */
    public static Optional<Ratio> unpaired(
            List<? extends @Nullable Double> ours, List<? extends @Nullable Double> other, boolean count) {
        Sample a = Sample.of(logs(ours, count));
        Sample b = Sample.of(logs(other, count));
        int samples = Math.min(a.size(), b.size());
        if (samples == 0) {
            return Optional.empty();
        }
        if (samples == 1) {
            return Optional.of(ofOneRun(a, b));
        }
        double square = a.errorSquare() + b.errorSquare();
        // Welch-Satterthwaite, expressed in shares to avoid underflow.
        double shareOfA = square > 0 ? a.errorSquare() / square : 0;
        double shareOfB = 1 - shareOfA;
        double degrees = 1 / (shareOfA * shareOfA / (a.size() - 1) + shareOfB * shareOfB / (b.size() - 1));
        return Optional.of(of(a.mean() - b.mean(), square, degrees, samples));
    }

    /**
     * The interval of a ratio where a side is a single run: with the variation between the runs of the other side, or,
     * if that is a single run too, with {@link #BETWEEN_RUNS}.
     */
    private static Ratio ofOneRun(Sample a, Sample b) {
        double log = a.mean() - b.mean();
        Sample known = a.size() > 1 ? a : b;
        double reach = known.size() > 1
                ? StudentT.within95(known.size() - 1) * Math.sqrt(known.errorSquare() * (known.size() + 1))
                : Math.log(BETWEEN_RUNS);
        return of(log, reach, 1);
    }

    /** other / ours. */
    public Ratio inverse() {
        return new Ratio(bounded(1 / ratio), bounded(1 / high), bounded(1 / low), samples);
    }

    private static Ratio of(double log, double errorSquare, double degrees, int samples) {
        if (samples < 2) {
            return new Ratio(bounded(Math.exp(log)), 0, Double.MAX_VALUE, samples);
        }
        return of(log, errorSquare > 0 ? StudentT.within95(degrees) * Math.sqrt(errorSquare) : 0, samples);
    }

    private static Ratio of(double log, double reach, int samples) {
        return new Ratio(
                bounded(Math.exp(log)), bounded(Math.exp(log - reach)), bounded(Math.exp(log + reach)), samples);
    }

    private static double bounded(double value) {
        return Math.min(value, Double.MAX_VALUE);
    }

    private static List<Double> logs(List<? extends @Nullable Double> values, boolean count) {
        List<Double> logs = new ArrayList<>();
        for (Double value : values) {
            double log = log(value, count);
            if (!Double.isNaN(log)) {
                logs.add(log);
            }
        }
        return logs;
    }

    /** NaN when the value cannot be compared. */
    private static double log(@Nullable Double value, boolean count) {
        if (value == null || !Double.isFinite(value)) {
            return Double.NaN;
        }
        double positive = count ? value + FOR_ZERO : value;
        return positive > 0 ? Math.log(positive) : Double.NaN;
    }

    /**
     * Several logarithms.
     *
     * @param errorSquare the squared standard error of their mean; 0 with fewer than 2
     */
    private record Sample(int size, double mean, double errorSquare) {
        static Sample of(List<Double> logs) {
            int size = logs.size();
            double mean = logs.stream().mapToDouble(Double::doubleValue).sum() / Math.max(1, size);
            double squares = logs.stream()
                    .mapToDouble(log -> (log - mean) * (log - mean))
                    .sum();
            return new Sample(size, mean, size < 2 ? 0 : squares / (size - 1) / size);
        }
    }
}
