package dev.penstock.lab.report;

import dev.penstock.lab.report.Contestant.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What is to be told of CPU time that the host of a virtual machine gave to others while a course ran. */
public final class StealNote {
    /** Of each block, in percent of the CPU time that this machine wanted. */
    public static final String KEY = "steal_percent";

    /** From here on the slowest hundredth of all calls may be the host's doing. */
    private static final double OF_P99 = 1;

    private StealNote() {}

    /** One sentence; empty where none was stolen, or the system does not tell. */
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
                "the host gave %.1f %% of the CPU time that this machine wanted to others (steal, the middle of all blocks), at most"
                        + " %.1f %%, in a block of %s%s",
                median,
                most(worst),
                worst.name(),
                median < OF_P99 ? "" : ": a p99 may be the host's, not a contestant's");
    }

    private static double most(Contestant contestant) {
        Map<String, Spread> metrics = contestant.metrics();
        Spread steal = metrics.get(KEY);
        return steal == null ? 0 : steal.max();
    }
}
