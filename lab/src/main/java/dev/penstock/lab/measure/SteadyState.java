package dev.penstock.lab.measure;

import dev.penstock.text.Durations;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a series of interval values reached a steady state. Pure.
 * <h2>Design note</h2>
 *
 * <p>The rule is MSER: the best truncation point is the one that minimizes the standard error of the mean of the
 * remaining values (K. P. White, An effective truncation heuristic for bias reduction in simulation output, Simulation
 * 69(6), 1997). When more than half would be truncated, the series is too short for its initial transient and counts as
 * not steady (K. Hoad, S. Robinson and R. Davies, Automating warm-up length estimation, Journal of the Operational
 * Research Society 61(9), 2010). White's later MSER-5 first averages batches of 5 values; here each value already
 * summarizes an interval.
 *
 * <p>Alone, that rule gives false alarms, because the last few values may be alike by chance, and a fault of one second
 * moves a mean far. So three rules are added. Each value is replaced by the median of itself and two neighbours on
 * either side, which removes disturbances of up to two intervals. At least five values must remain. And the series only
 * counts as unsteady when the second half differs from the first by 5 % or more, which is when it matters, and
 * significantly so (p below 0.001), by the rank test of H. B. Mann and D. R. Whitney (Annals of Mathematical Statistics 18,
 * 1947) in its normal approximation with ties. A few faults, however long, change few ranks.
 *
 * @param intervals the number of values
 * @param settledAfter the number of initial values to truncate
 * @param firstHalf the median of the first half
 * @param secondHalf the median of the second half
 * @param reached whether the series was steady, or too short to decide
 */
record SteadyState(int intervals, int settledAfter, double firstHalf, double secondHalf, boolean reached) {
    /** The minimum number of values for a decision. */
    static final int FEWEST = 16;

    /** The maximum relative difference between the halves of a steady series. */
    static final double MAX_SHIFT = 0.05;

    private static final int NEIGHBOURS = 2;
    private static final int MIN_LEFT = 5;
    private static final double BEYOND_CHANCE = 3.29; // two-sided, 1 in 1,000

    /** Checks the values of equal intervals, in order. */
    static SteadyState of(double[] values) {
        int size = values.length;
        double[] first = Arrays.copyOfRange(values, 0, size / 2);
        double[] second = Arrays.copyOfRange(values, size - size / 2, size);
        double before = median(first);
        double after = median(second);
        int settled = size < FEWEST ? 0 : settledAfter(smoothed(values));
        boolean reached = settled <= size / 2
                || Math.abs(after - before) < MAX_SHIFT * Math.max(Math.abs(before), Math.abs(after))
                || Math.abs(rankShift(first, second)) < BEYOND_CHANCE;
        return new SteadyState(size, settled, before, after, reached);
    }

    /**
     * Says that a load reached no steady state: its median response time or its throughput drifted.
     *
     * @param intervals all intervals of a load
     * @param from start of the window, in nanoseconds since the start of the load
     * @param to its end
     * @param every length of an interval
     * @return one sentence with numbers and a remedy; null when steady, or too short to decide
     */
    static @Nullable String note(List<Interval> intervals, long from, long to, long every) {
        long late = every / 10; // samples are taken slightly late
        List<Interval> window = intervals.stream()
                .filter(interval -> interval.from() >= from - late && interval.to() <= to + late)
                .toList();
        String unsteady = sentence(
                window, Series.P50_MS, "the median response time", value -> Durations.format(Math.round(value * 1e6)));
        return unsteady != null
                ? unsteady
                : sentence(window, Series.TPS, "the throughput", value -> String.format(Locale.ROOT, "%,.1f/s", value));
    }

    private static @Nullable String sentence(
            List<Interval> window, Series series, String what, DoubleFunction<String> format) {
        List<Interval> known = window.stream()
                .filter(interval -> !Double.isNaN(interval.value(series)))
                .toList();
        SteadyState state = of(
                known.stream().mapToDouble(interval -> interval.value(series)).toArray());
        if (state.reached()) {
            return null;
        }
        long settled = known.get(state.settledAfter()).from() - known.getFirst().from();
        return String.format(
                Locale.ROOT,
                "no steady state was reached: %s changed from %s in the first half of the measured time to %s in the second,"
                        + " and settled no earlier than after %s: use a longer warm-up, or a longer run",
                what,
                format.apply(state.firstHalf()),
                format.apply(state.secondHalf()),
                Durations.format(settled));
    }

    private static double[] smoothed(double[] values) {
        return IntStream.range(0, values.length)
                .mapToDouble(i -> median(Arrays.copyOfRange(
                        values, Math.max(0, i - NEIGHBOURS), Math.min(values.length, i + NEIGHBOURS + 1))))
                .toArray();
    }

    /** The truncation point with the smallest squared standard error of the mean of the rest; the earliest one. */
    private static int settledAfter(double[] values) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int skipped = 0; skipped <= values.length - MIN_LEFT; skipped++) {
            double error = squaredError(values, skipped);
            if (error < least) {
                least = error;
                best = skipped;
            }
        }
        return best;
    }

    private static double squaredError(double[] values, int skipped) {
        int left = values.length - skipped;
        double mean = Arrays.stream(values, skipped, values.length).average().orElse(0);
        double squares = Arrays.stream(values, skipped, values.length)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return squares / left / left;
    }

    /** The z-score of the second half's ranks; 0 when all values are equal. */
    private static double rankShift(double[] first, double[] second) {
        double[] all = IntStream.range(0, first.length + second.length)
                .mapToDouble(i -> i < first.length ? first[i] : second[i - first.length])
                .sorted()
                .toArray();
        double wins = 0;
        for (double a : first) {
            for (double b : second) {
                wins += b > a ? 1 : b == a ? 0.5 : 0;
            }
        }
        double n = all.length;
        double pairs = (double) first.length * second.length;
        double variance = pairs / 12 * (n + 1 - ties(all) / (n * (n - 1)));
        return variance <= 0 ? 0 : (wins - pairs / 2) / Math.sqrt(variance);
    }

    /** The sum of t^3 - t over the runs of equal values. */
    private static double ties(double[] sorted) {
        double sum = 0;
        double run = 1;
        for (int i = 1; i <= sorted.length; i++) {
            if (i < sorted.length && sorted[i] == sorted[i - 1]) {
                run++;
            } else {
                sum += run * run * run - run;
                run = 1;
            }
        }
        return sum;
    }

    private static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
