package dev.penstock.races;

import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Contestant.Spread;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Metric;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Checks the metrics of a course against goals. A goal about a metric that was not measured gives no result.
 *
 * @param contestants of the course
 */
public record GoalFigures(List<Contestant> contestants) {
    private static final Set<Role> OTHERS = Set.of(Role.BEFORE, Role.AFTER, Role.PEER);

    /** The contestant with this name, if it ran. */
    public Optional<Contestant> named(String name) {
        return contestants.stream()
                .filter(contestant -> contestant.name().equals(name))
                .findFirst();
    }

    /**
     * Our contestants that ran, each once, without A/A twins.
     *
     * @param entries of the course
     */
    public Stream<Contestant> ours(List<Entry> entries) {
        return entries.stream()
                .filter(entry -> entry.role() == Role.OURS)
                .flatMap(entry -> named(entry.name()).stream());
    }

    /** A minimum in every round. */
    public Stream<Goal> least(Contestant contestant, String key, double least) {
        return spread(contestant, key)
                .map(spread -> new Goal(
                        title(contestant, key) + " at least " + Figures.number(least) + " in every round",
                        range(spread),
                        spread.min() >= least));
    }

    /** A maximum in every round. */
    public Stream<Goal> most(Contestant contestant, String key, double most) {
        return spread(contestant, key)
                .map(spread -> new Goal(
                        title(contestant, key) + " at most " + Figures.number(most) + " in every round",
                        range(spread),
                        spread.max() <= most));
    }

    /** Zero for all of these metrics in every round. */
    public Stream<Goal> none(Contestant contestant, List<String> keys) {
        List<Spread> spreads =
                keys.stream().flatMap(key -> spread(contestant, key)).toList();
        return spreads.isEmpty()
                ? Stream.empty()
                : Stream.of(new Goal(
                        contestant.name() + ": no " + String.join(", ", keys),
                        String.join(
                                ", ",
                                spreads.stream()
                                        .map(spread -> Figures.number(spread.max()))
                                        .toList()),
                        spreads.stream().allMatch(spread -> spread.max() == 0)));
    }

    /**
     * A maximum ratio to the theoretical curve, by the median of all rounds. A contestant that makes about one call per
     * request is not on the curve.
     */
    public Stream<Goal> onTheCurve(Contestant contestant, double most) {
        String what = title(contestant, "curve_ratio") + " at most " + Figures.number(most);
        if (!contestant.metrics().containsKey("curve_ratio")
                && contestant.metrics().containsKey("curve_ms")) {
            return Stream.of(new Goal(what, "about one call per request", false));
        }
        return spread(contestant, "curve_ratio")
                .map(spread -> new Goal(
                        what, Figures.number(spread.median()) + ", rounds " + range(spread), spread.median() <= most));
    }

    /** Less than the best of the others. */
    public Stream<Goal> lessThanOthers(Contestant contestant, String key) {
        Optional<Contestant> best = contestants.stream()
                .filter(other ->
                        OTHERS.contains(other.role()) && other.metrics().containsKey(key))
                .min(Comparator.comparingDouble(other -> median(other, key)));
        return best.stream()
                .flatMap(other -> spread(contestant, key)
                        .map(spread -> new Goal(
                                title(contestant, key) + " lower than all others",
                                Figures.number(spread.median()) + " to " + Figures.number(median(other, key)) + " ("
                                        + other.name() + ")",
                                spread.median() < median(other, key))));
    }

    /** A minimum ratio to the best of the contestants with this name prefix. */
    public Stream<Goal> times(Contestant contestant, String key, String others, double times) {
        Optional<Contestant> best = contestants.stream()
                .filter(other ->
                        other.name().startsWith(others) && other.metrics().containsKey(key))
                .max(Comparator.comparingDouble(other -> median(other, key)));
        return best.stream()
                .flatMap(other -> spread(contestant, key)
                        .map(spread -> new Goal(
                                title(contestant, key) + " at least " + Figures.number(times) + " times that of "
                                        + others,
                                Figures.number(spread.median() / median(other, key)) + " ("
                                        + Figures.number(spread.median()) + " to " + Figures.number(median(other, key))
                                        + " of " + other.name() + ")",
                                spread.median() >= times * median(other, key))));
    }

    /**
     * A maximum ratio to another contestant, by the median of all rounds.
     *
     * @param otherKey the metric of the other contestant
     */
    public Stream<Goal> atMostTimes(Contestant contestant, String key, double times, String other, String otherKey) {
        return named(other).stream()
                .filter(there -> there.metrics().containsKey(otherKey))
                .flatMap(there -> spread(contestant, key)
                        .map(spread -> new Goal(
                                title(contestant, key) + " at most " + Figures.number(times) + " times the "
                                        + Metric.of(otherKey).title() + " of " + other,
                                Figures.number(spread.median()) + " to " + Figures.number(median(there, otherKey)),
                                spread.median() <= times * median(there, otherKey))));
    }

    private static Stream<Spread> spread(Contestant contestant, String key) {
        return Stream.ofNullable(contestant.metrics().get(key));
    }

    private static double median(Contestant contestant, String key) {
        Spread spread = contestant.metrics().get(key);
        return spread == null ? Double.NaN : spread.median();
    }

    private static String title(Contestant contestant, String key) {
        return contestant.name() + ": " + Metric.of(key).title();
    }

    private static String range(Spread spread) {
        return spread.min() == spread.max()
                ? Figures.number(spread.min())
                : Figures.number(spread.min()) + " to " + Figures.number(spread.max());
    }
}
