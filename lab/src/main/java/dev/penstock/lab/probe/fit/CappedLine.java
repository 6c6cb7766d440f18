package dev.penstock.lab.probe.fit;

import dev.penstock.lab.report.Figures;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server with a hard concurrency limit, which queues further calls: {@code X = min(slope N, most)}, the asymptotic
 * bounds of operational analysis. The knee is at {@code most / slope}.
 *
 * <p>P. Denning and J. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10 (1978).
 *
 * @param slope answers per second for each concurrent call below the knee; above 0
 * @param most maximum answers per second; above 0, infinite when the samples show no knee
 */
public record CappedLine(double slope, double most) implements Curve {
    /**
     * Fits the line with the smallest {@link Curve#misfit}. Tries every split of the samples into those below the knee
     * and those beyond it. For each split, the best slope and the best maximum are weighted geometric means.
     *
     * @return null without a sample
     */
    public static @Nullable CappedLine fit(List<Sample> samples) {
        List<Sample> sorted = samples.stream()
                .sorted(Comparator.comparingDouble(Sample::concurrency))
                .toList();
        CappedLine best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int below = 1; below <= sorted.size(); below++) {
            if (below < sorted.size()
                    && sorted.get(below).concurrency() == sorted.get(below - 1).concurrency()) {
                continue;
            }
            CappedLine line = split(sorted.subList(0, below), sorted.subList(below, sorted.size()));
            double misfit = line.misfit(sorted);
            if (misfit < least) {
                least = misfit;
                best = line;
            }
        }
        return best == null ? null : best.centred(sorted);
    }

    /** Scales the line so that it passes through the (geometric) mean of the samples. */
    private CappedLine centred(List<Sample> samples) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            sum += sample.weight() * Math.log(sample.throughput() / throughput(sample.concurrency()));
            weight += sample.weight();
        }
        double factor = Math.exp(sum / weight);
        return new CappedLine(slope * factor, most * factor);
    }

    private static CappedLine split(List<Sample> below, List<Sample> beyond) {
        double slope = mean(below, true);
        return new CappedLine(slope, beyond.isEmpty() ? Double.POSITIVE_INFINITY : mean(beyond, false));
    }

    private static double mean(List<Sample> samples, boolean each) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            sum += sample.weight() * Math.log(each ? sample.throughput() / sample.concurrency() : sample.throughput());
            weight += sample.weight();
        }
        return Math.exp(sum / weight);
    }

    @Override
    public double throughput(double concurrency) {
        return Math.min(slope * concurrency, most);
    }

    @Override
    public double knee() {
        return Math.max(1, most / slope);
    }

    @Override
    public int parameters() {
        return 2;
    }

    @Override
    public String model() {
        return "capped line";
    }

    @Override
    public String format() {
        return Double.isInfinite(most)
                ? Figures.number(slope) + "/s per concurrent call"
                : Figures.number(slope) + "/s per concurrent call, at most " + Figures.number(most) + "/s";
    }
}
