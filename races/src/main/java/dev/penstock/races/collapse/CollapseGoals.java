package dev.penstock.races.collapse;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The goals of a course, defined before it ran. Metrics that were not measured are not judged. All courses require of
 * ours that nothing is lost, duplicated or wrong.
 */
sealed interface CollapseGoals {
    /** Metrics of ours that must be 0 in every course. */
    List<String> MUST_BE_ZERO = List.of("errors", "lost", "duplicates");

    /** The results of all goals. */
    default List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return Stream.concat(
                        own(figures),
                        figures.ours(CollapseContestants.entries()).flatMap(ours -> figures.none(ours, MUST_BE_ZERO)))
                .toList();
    }

    /** The additional goals of this course. */
    Stream<Goal> own(GoalFigures figures);

    /** No additional goals. */
    record Sound() implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return Stream.empty();
        }
    }

    /**
     * In every round ours answers as fast as without batching, with few calls.
     *
     * @param tps minimum
     * @param most maximum in every round, by metric key
     */
    record InEveryRound(double tps, Map<String, Double> most) implements CollapseGoals {
        static InEveryRound of(double tps, double meanMillis, double p99Millis, double callsPerSecond) {
            return new InEveryRound(
                    tps, Map.of("mean_ms", meanMillis, "p99_ms", p99Millis, "downstream_calls_per_s", callsPerSecond));
        }

        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return figures.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> Stream.concat(
                            figures.least(ours, "tps", tps),
                            Stream.of("mean_ms", "p99_ms", "downstream_calls_per_s")
                                    .flatMap(key -> figures.most(ours, key, Objects.requireNonNull(most.get(key))))));
        }
    }

    /**
     * The median of ours in mean time is at most this many times that of the fastest other.
     *
     * @param times 1 or more
     */
    record NearTheFastest(double times) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return figures.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> figures.contestants().stream()
                            .filter(other -> other.role() != Contestant.Role.OURS)
                            .filter(other -> other.metrics().containsKey("mean_ms"))
                            .min(Comparator.comparingDouble(other -> Objects.requireNonNull(
                                            other.metrics().get("mean_ms"))
                                    .median()))
                            .stream()
                            .flatMap(other -> figures.atMostTimes(ours, "mean_ms", times, other.name(), "mean_ms")));
        }
    }

    /**
     * A minimum rate of correct answers in the first 10 s, in every round.
     *
     * @param tps minimum
     */
    record First(double tps) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return figures.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> figures.least(ours, "first_10s", tps));
        }
    }

    /** At every budget ours is on the curve or below it, and uses less CPU than all others. */
    record OnTheCurve(double within) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return figures.ours(CollapseContestants.entries())
                    .flatMap(ours -> Stream.concat(
                            figures.onTheCurve(ours, within), figures.lessThanOthers(ours, "cpu_us_per_tx")));
        }
    }

    /**
     * The throughput of ours is at least this many times that of the best others.
     *
     * @param times by prefix of the others' names
     */
    record TimesFaster(Map<String, Double> times) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figures) {
            return figures.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> times.keySet().stream()
                            .sorted()
                            .flatMap(other ->
                                    figures.times(ours, "tps", other, Objects.requireNonNull(times.get(other)))));
        }
    }
}
