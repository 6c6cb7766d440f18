package dev.penstock.lab.report;

import dev.penstock.lab.report.Contestant.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Describes the CPU time that the host of a virtual machine gave to others during a course. */
public final class StealNote {
    /** Per block, in percent of the CPU time that this machine demanded. */
    public static final String KEY = "steal_percent";

    /** From this share on, the slowest 1 % of calls may be caused by the host. */
    private static final double OF_P99 = 1;

    private StealNote() {}

    /** One sentence; empty when no CPU time was stolen, or the values are not available. */
    public static Optional<String> of(List<Contestant> contestants) {
        return contestants.stream()
                .filter(contestant -> most(contestant) > 0)
                .max(Comparator.comparingDouble(StealNote::most))
                .map(worst -> sentence(contestants, worst));
    }

    private static String sentence(List<Contestant> contestants, Contestant worst) {
        List<Double> all = contestants.stream()
                .map(Contestant::blocks)
                .flatMap(List::stream)
                .map(block -> block.get(KEY))
                .filter(share -> share != null)
                .toList();
        double median = Spread.of(all).median();
        return String.format(
                Locale.ROOT,
                "the host gave %.1f %% of the CPU time that this machine demanded to others (steal, median of all blocks), at most"
                        + " %.1f %%, in a block of %s%s",
                median,
                most(worst),
                worst.name(),
                median < OF_P99 ? "" : ": a p99 may be caused by the host, not by a contestant");
    }

    private static double most(Contestant contestant) {
        Map<String, Spread> metrics = contestant.metrics();
        Spread steal = metrics.get(KEY);
        return steal == null ? 0 : steal.max();
    }
}
