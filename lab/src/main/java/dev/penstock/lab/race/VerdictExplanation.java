package dev.penstock.lab.race;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Contestant.Spread;
import dev.penstock.lab.report.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains a course's verdicts in one line: the metrics that differ most between ours and the best peer. */
final class VerdictExplanation {
    private static final int MAX = 4;

    private VerdictExplanation() {}

    /** The line; null when no peer ran. */
    static @Nullable String of(Course course, List<Contestant> contestants, List<Comparison> verdicts) {
        if (verdicts.isEmpty()) {
            return null;
        }
        Contestant ours = named(contestants, verdicts.getFirst().ours());
        return bestPeer(course.judged(), contestants)
                .map(peer -> "against the best peer by "
                        + Metric.of(course.judged().getFirst()).title() + ", " + peer.name() + ": "
                        + contrasts(course, ours, peer))
                .orElse(null);
    }

    private static String contrasts(Course course, Contestant ours, Contestant peer) {
        return course.shown().stream()
                .filter(key -> ours.metrics().containsKey(key) && peer.metrics().containsKey(key))
                .filter(key -> Metric.of(key).better() != Metric.Better.NEITHER)
                .sorted(Comparator.comparingDouble((String key) -> -distance(median(ours, key), median(peer, key))))
                .limit(MAX)
                .map(key ->
                        Metric.of(key).title() + " " + figure(median(ours, key)) + " to " + figure(median(peer, key)))
                .collect(Collectors.joining(", "));
    }

    /** Where the first metric leaves several, the next decides. */
    private static Optional<Contestant> bestPeer(List<String> keys, List<Contestant> contestants) {
        Comparator<Contestant> better = keys.stream()
                .map(VerdictExplanation::byFigure)
                .reduce(Comparator::thenComparing)
                .orElseThrow();
        return contestants.stream()
                .filter(contestant -> contestant.role() == Role.PEER)
                .filter(contestant -> contestant.metrics().containsKey(keys.getFirst()))
                .min(better);
    }

    private static Comparator<Contestant> byFigure(String key) {
        boolean more = Metric.of(key).better() == Metric.Better.HIGHER;
        return Comparator.comparingDouble(peer -> {
            Spread spread = peer.metrics().get(key);
            return spread == null ? Double.POSITIVE_INFINITY : more ? -spread.median() : spread.median();
        });
    }

    /** On a log scale, with one added so that a count of 0 has a place. */
    private static double distance(double ours, double other) {
        return Math.abs(Math.log((ours + 1) / (other + 1)));
    }

    private static double median(Contestant contestant, String key) {
        Spread spread = Objects.requireNonNull(contestant.metrics().get(key), key);
        return spread.median();
    }

    private static String figure(double value) {
        boolean whole = value == Math.rint(value);
        return String.format(Locale.ROOT, whole || value >= 100 ? "%,.0f" : value >= 1 ? "%.1f" : "%.3f", value);
    }

    private static Contestant named(List<Contestant> contestants, String name) {
        return contestants.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
