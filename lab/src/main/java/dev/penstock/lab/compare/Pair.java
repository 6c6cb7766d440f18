package dev.penstock.lab.compare;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The same contestant, or the transactions of the same label of it, in two result files.
 *
 * @param a in the reference
 * @param b in the other file
 * @param isLabel whether it is a label
 */
record Pair(Contestant a, Contestant b, boolean isLabel) {
    /**
     * Matches contestants by course and name, and their labels by name. Two files with one contestant each always match.
     */
    static List<Pair> of(ResultFile a, ResultFile b) {
        List<Pair> pairs = isSingle(a) && isSingle(b)
                ? List.of(new Pair(a.contestants().getFirst(), b.contestants().getFirst(), false))
                : same(a.contestants(), b.contestants(), false);
        List<Pair> all = new ArrayList<>();
        for (Pair pair : pairs) {
            all.add(pair);
            all.addAll(same(pair.a.byLabel(), pair.b.byLabel(), true));
        }
        return all;
    }

    private static List<Pair> same(List<Contestant> a, List<Contestant> b, boolean areLabels) {
        List<Pair> pairs = new ArrayList<>();
        for (Contestant one : a) {
            b.stream()
                    .filter(other -> isSame(one, other))
                    .findFirst()
                    .ifPresent(other -> pairs.add(new Pair(one, other, areLabels)));
        }
        return pairs;
    }

    private static boolean isSingle(ResultFile file) {
        return file.courses().isEmpty() && file.contestants().size() == 1;
    }

    private static boolean isSame(Contestant a, Contestant b) {
        return a.name().equals(b.name()) && Objects.equals(a.course(), b.course());
    }

    @Nullable
    String course() {
        return a.course();
    }

    /** Its title. */
    String title() {
        return (a.course() == null ? "" : a.course() + " / ") + a.name();
    }

    /** The number of runs, of the side with fewer. */
    int runs() {
        return Math.min(a.blocks().size(), b.blocks().size());
    }

    /** B / A by one metric; empty when one of the two does not have it. */
    Optional<Ratio> ratio(Metric metric) {
        return Ratio.unpaired(values(b, metric), values(a, metric), metric.count());
    }

    /** Whether a verdict by a metric holds although it may be only a lower bound in one of them, or in both. */
    boolean allows(Verdict verdict, Metric metric) {
        boolean lowA = a.isLowerBound(metric.key());
        boolean lowB = b.isLowerBound(metric.key());
        return !(lowA && verdict != Verdict.FASTER) && !(lowB && verdict != Verdict.SLOWER);
    }

    private static List<Double> values(Contestant contestant, Metric metric) {
        return contestant.blocks().stream()
                .map(block -> block.get(metric.key()))
                .filter(Objects::nonNull)
                .toList();
    }
}
