package dev.penstock.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many times ours is of the other, with a 95 % interval.
 *
 * <p>An end of the interval that nothing bounds is 0 or {@link Double#MAX_VALUE}, never infinite: JSON has no infinity.
 *
 * <h2>Design note</h2>
 *
 * <p>Times and rates are above 0, skewed, and differ by factors, so their logarithms are compared and not they themselves:
 * the mean of the logarithms' differences is the logarithm of the ratio of geometric means, and swapping the two sides turns
 * the ratio and its interval upside down. The interval is Student's ("The Probable Error of a Mean", Biometrika 1908) where
 * the blocks come in pairs, one round each, and Welch's ("The generalization of Student's problem", Biometrika 1947), which
 * does not take the two sides to spread alike, where they do not. Counts of what happened may well be 0: each gets 0.5 added
 * (Haldane 1956, Anscombe 1956).
 *
 * @param ratio ours / other
 * @param low the lower end of the interval
 * @param high the upper end
 * @param samples how many blocks of each it is of, of the side with fewer; with fewer than 2 the interval has no bounds
 */
public record Ratio(double ratio, double low, double high, int samples) {
    /** What is added to each number of occurrences. */
    private static final double FOR_ZERO = 0.5;

    /**
     * The geometric mean of the ratios of pairs, with Student's interval. A pair in which a side is missing (null or not a
     * number) is left out, and so is one in which a side is not above 0, unless it counts occurrences.
     *
     * @param ours one value for each round
     * @param other the same, in the same order
     * @param count whether it counts occurrences, and so may be 0
     * @return empty when no pair is left
     * @throws IllegalArgumentException when the two are not equally many
     */
    public static Optional<Ratio> paired(
            List<? extends @Nullable Double> ours, List<? extends @Nullable Double> other, boolean count) {
        if (ours.size() != other.size()) {
            throw new IllegalArgumentException(ours.size() + " values do not pair with " + other.size());
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
     * The ratio of the geometric means, with Welch's interval. A value that is missing (null or not a number) is left out,
     * and so is one that is not above 0, unless it counts occurrences.
     *
     * @param ours the values of one side, in any order
     * @param other those of the other
     * @param count whether it counts occurrences, and so may be 0
     * @return empty when a side has no value left
     */
    public static Optional<Ratio> unpaired(
            List<? extends @Nullable Double> ours, List<? extends @Nullable Double> other, boolean count) {
        Sample a = Sample.of(logs(ours, count));
        Sample b = Sample.of(logs(other, count));
        int samples = Math.min(a.size(), b.size());
        if (samples == 0) {
            return Optional.empty();
        }
        double square = a.errorSquare() + b.errorSquare();
        // Welch-Satterthwaite, written in shares so that it does not underflow.
        double shareOfA = square > 0 ? a.errorSquare() / square : 0;
        double shareOfB = 1 - shareOfA;
        double degrees = 1 / (shareOfA * shareOfA / (a.size() - 1) + shareOfB * shareOfB / (b.size() - 1));
        return Optional.of(of(a.mean() - b.mean(), square, degrees, samples));
    }

    /** The other / ours. */
    public Ratio inverse() {
        return new Ratio(bounded(1 / ratio), bounded(1 / high), bounded(1 / low), samples);
    }

    private static Ratio of(double log, double errorSquare, double degrees, int samples) {
        double ratio = bounded(Math.exp(log));
        if (samples < 2) {
            return new Ratio(ratio, 0, Double.MAX_VALUE, samples);
        }
        double reach = errorSquare > 0 ? StudentT.within95(degrees) * Math.sqrt(errorSquare) : 0;
        return new Ratio(ratio, bounded(Math.exp(log - reach)), bounded(Math.exp(log + reach)), samples);
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

    /** Not a number when the value cannot be compared. */
    private static double log(@Nullable Double value, boolean count) {
        if (value == null || !Double.isFinite(value)) {
            return Double.NaN;
        }
        double positive = count ? value + FOR_ZERO : value;
        return positive > 0 ? Math.log(positive) : Double.NaN;
    }

    /**
     * Some logarithms.
     *
     * @param errorSquare the square of their mean's standard error; 0 when there are fewer than 2
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
