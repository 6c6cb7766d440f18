package dev.penstock.lab.probe.fit;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A peer that serves so many at once and lets the others wait: {@code X = min(slope N, most)}, the bounds of operational analysis.
 * It bends at {@code most / slope}.
 *
 * <p>P. Denning and J. Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing Surveys 10 (1978).
 *
 * @param slope answers a second for each call at once, while nobody waits; above 0
 * @param most answers a second; above 0, infinite when the line does not bend
 */
public record CappedLine(double slope, double most) implements Curve {
    /**
     * The one closest to the samples; see {@link Curve#misfit}. Tried are all ways to part them in those below the bend and those
     * beyond: for each the best slope and the best cap are weighted geometric means.
     *
     * @return null without a sample
     */
    public static @Nullable CappedLine fit(List<Sample> samples) {
        List<Sample> sorted = samples.stream()
                .sorted(Comparator.comparingDouble(Sample::atOnce))
                .toList();
        CappedLine best = null;
        double least = Double.POSITIVE_INFINITY;
        for (int below = 1; below <= sorted.size(); below++) {
            if (below < sorted.size()
                    && sorted.get(below).atOnce() == sorted.get(below - 1).atOnce()) {
                continue;
            }
            CappedLine line = parted(sorted.subList(0, below), sorted.subList(below, sorted.size()));
            double misfit = line.misfit(sorted);
            if (misfit < least) {
                least = misfit;
                best = line;
            }
        }
        return best == null ? null : best.centred(sorted);
    }

    /** Moved up or down as a whole, so that it runs through the middle of the samples. */
    private CappedLine centred(List<Sample> samples) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            sum += sample.weight() * Math.log(sample.perSecond() / perSecond(sample.atOnce()));
            weight += sample.weight();
        }
        double factor = Math.exp(sum / weight);
        return new CappedLine(slope * factor, most * factor);
    }

    private static CappedLine parted(List<Sample> below, List<Sample> beyond) {
        double slope = mean(below, true);
        return new CappedLine(slope, beyond.isEmpty() ? Double.POSITIVE_INFINITY : mean(beyond, false));
    }

    private static double mean(List<Sample> samples, boolean each) {
        double sum = 0;
        double weight = 0;
        for (Sample sample : samples) {
            sum += sample.weight() * Math.log(each ? sample.perSecond() / sample.atOnce() : sample.perSecond());
            weight += sample.weight();
        }
        return Math.exp(sum / weight);
    }

    @Override
    public double perSecond(double atOnce) {
        return Math.min(slope * atOnce, most);
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
    public String words() {
        return Double.isInfinite(most)
                ? String.format(Locale.ROOT, "%.3g a second for each call at once", slope)
                : String.format(Locale.ROOT, "%.3g a second for each call at once, at most %.3g a second", slope, most);
    }
}
