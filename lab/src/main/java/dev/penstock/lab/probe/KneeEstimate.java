package dev.penstock.lab.probe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The knee of throughput by concurrency.
 * <h2>Design note</h2>
 *
 * <p>Servers saturate in two ways. One with a fixed number of workers, or of connections, has a throughput that rises
 * in proportion and then stays the same; its knee is where the two lines meet. All splits of the levels into rising and
 * flat ones are tried, and the one with the smallest squared error counts. A server whose calls hinder each other is far
 * from any such lines: its throughput rises ever more slowly, and falls again; its knee is the peak. By the universal
 * scalability law the curve is symmetric about its peak on a logarithmic scale, so the peak is in the middle between a
 * level beyond it and the lower concurrency of the same throughput.
 *
 * <p>The 95 % interval is by the jackknife: the knee is located again without each of {@value #GROUPS} groups of
 * the measurements.
 *
 * <p>P. Denning and J. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10 (1978); N.
 * Gunther, "Guerrilla Capacity Planning", 2007; B. Efron and C. Stein, "The Jackknife Estimate of Variance", Annals of
 * Statistics 9 (1981).
 *
 * @param knee the concurrency beyond which throughput does not grow; infinite when the levels do not show it
 * @param low lower end of its interval
 * @param high upper end
 * @param throughput answers per second there
 * @param falls whether throughput falls beyond it
 * @param worked the highest concurrency without errors
 */
record KneeEstimate(double knee, double low, double high, double throughput, boolean falls, int worked) {
    /** Half of the width of a precise interval, as a share of the knee. */
    private static final double PRECISE = 0.05;

    /** A knee this factor below a level is clearly below it. */
    private static final double CLEARLY = 1.2;

    /** Lines that are off by more than this share, on average, do not describe the target. */
    private static final double OFF = 0.05;

    /** The smallest decrease that is a fall, as a share of the best throughput. */
    private static final double FALL = 0.02;

    private static final int FEWEST_LEVELS = 3;
    private static final int GROUPS = 8;

    /** Student's factor for a 95 % interval, with one degree of freedom less than {@link #GROUPS}. */
    private static final double STUDENT = 2.365;

    private static final Place UNKNOWN = new Place(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);

    /** A level and its mean throughput. Logarithms, so that 1 % weighs the same at low and high rates. */
    private record Level(double concurrency, double throughput, double weight) {}

    /** Where the knee is, and the throughput there, as logarithms; and by how much the lines are off. */
    private record Place(double knee, double throughput, double off) {}

    /** Estimates the knee from clean measurements. */
    static KneeEstimate of(List<KneeObservation> clean, int worked) {
        List<Level> levels = levels(clean);
        Place lines = lines(levels);
        boolean falls = lines.off > Math.hypot(OFF, 2 * noise(levels));
        Place place = falls ? peak(levels) : lines;
        double error = STUDENT * standardError(clean, falls);
        return new KneeEstimate(
                Math.exp(place.knee),
                Math.max(1, Math.exp(place.knee - error)),
                Math.exp(place.knee + error),
                Math.exp(place.throughput),
                falls,
                worked);
    }

    private static List<Level> levels(List<KneeObservation> clean) {
        Map<Integer, double[]> sums = new TreeMap<>();
        for (KneeObservation seen : clean) {
            double weight = 1 / (seen.standardError() * seen.standardError());
            double[] sum = sums.computeIfAbsent(seen.concurrency(), level -> new double[2]);
            sum[0] += weight;
            sum[1] += weight * Math.log(seen.throughput());
        }
        List<Level> levels = new ArrayList<>();
        sums.forEach((level, sum) -> levels.add(new Level(Math.log(level), sum[1] / sum[0], sum[0])));
        return levels;
    }

    /** The error of a level that is by chance. */
    private static double noise(List<Level> levels) {
        return Math.sqrt(
                levels.size() / levels.stream().mapToDouble(Level::weight).sum());
    }

    private static double standardError(List<KneeObservation> clean, boolean falls) {
        double[] knees = IntStream.range(0, GROUPS)
                .mapToObj(group -> levels(without(clean, group)))
                .mapToDouble(levels -> falls ? peak(levels).knee : lines(levels).knee)
                .filter(Double::isFinite)
                .toArray();
        double mean = Arrays.stream(knees).average().orElse(Double.NaN);
        double squares =
                Arrays.stream(knees).map(knee -> (knee - mean) * (knee - mean)).sum();
        return Math.sqrt(squares * (GROUPS - 1) / GROUPS);
    }

    private static List<KneeObservation> without(List<KneeObservation> clean, int group) {
        return IntStream.range(0, clean.size())
                .filter(i -> i % GROUPS != group)
                .mapToObj(clean::get)
                .toList();
    }

    /** The end of the rising line of the best split. */
    private static Place lines(List<Level> levels) {
        Place best = UNKNOWN;
        double least = Double.POSITIVE_INFINITY;
        for (int rising = 1; rising <= levels.size() && levels.size() >= FEWEST_LEVELS; rising++) {
            List<Level> flat = levels.subList(rising, levels.size());
            double slope = mean(levels.subList(0, rising), 1);
            double most = flat.isEmpty() ? Double.POSITIVE_INFINITY : mean(flat, 0);
            double squares = 0;
            double weight = 0;
            for (Level level : levels) {
                double off = level.throughput - Math.min(slope + level.concurrency, most);
                squares += level.weight * off * off;
                weight += level.weight;
            }
            if (squares < least) {
                least = squares;
                best = new Place(Math.max(0, most - slope), most, Math.sqrt(squares / weight));
            }
        }
        return best;
    }

    private static double mean(List<Level> levels, int perCall) {
        double sum = 0;
        double weight = 0;
        for (Level level : levels) {
            sum += level.weight * (level.throughput - perCall * level.concurrency);
            weight += level.weight;
        }
        return sum / weight;
    }

    /** The middle between the levels beyond the best and the lower concurrency of the same throughput. */
    private static Place peak(List<Level> levels) {
        int best = 0;
        for (int i = 1; i < levels.size(); i++) {
            best = levels.get(i).throughput > levels.get(best).throughput ? i : best;
        }
        double top = levels.get(best).throughput;
        double sum = 0;
        double weight = 0;
        for (Level beyond : levels.subList(best + 1, levels.size())) {
            double depth = Math.max(0, top - beyond.throughput);
            sum += depth * (beyond.concurrency + rising(levels, beyond.throughput)) / 2;
            weight += depth;
        }
        return top - levels.getLast().throughput > FALL ? new Place(sum / weight, top, 0) : UNKNOWN;
    }

    /** Where throughput first reaches this value. */
    private static double rising(List<Level> levels, double throughput) {
        Level before = levels.getFirst();
        if (before.throughput >= throughput) {
            return before.concurrency - before.throughput + throughput;
        }
        for (Level level : levels) {
            if (level.throughput >= throughput) {
                double share = (throughput - before.throughput) / (level.throughput - before.throughput);
                return before.concurrency + share * (level.concurrency - before.concurrency);
            }
            before = level;
        }
        return before.concurrency;
    }

    /** Whether the knee is well below the highest concurrency without errors. */
    boolean isWellBelowWorked() {
        return knee < worked / CLEARLY;
    }

    /** Whether a level beyond the knee was measured, and the interval ends within the measured range. */
    boolean isReached() {
        return knee <= worked / CLEARLY && high <= CLEARLY * worked;
    }

    /** Whether more measurements of the same levels would make the interval no narrower than needed. */
    boolean isPreciseEnough() {
        return !isReached() || high - low < 2 * PRECISE * knee;
    }
}
