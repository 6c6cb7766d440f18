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
 * What a course is to show, said before it ran. What was not measured is not judged. Nothing lost, twice or wrong is asked of
 * ours in every course.
 */
sealed interface CollapseGoals {
    /** What no course may have of ours. */
    List<String> WRONGS = List.of("errors", "lost", "duplicates");

    /** How it went with each part of it. */
    default List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figured = new GoalFigures(contestants);
        return Stream.concat(
                        own(figured), figured.ours(CollapseContestants.entries()).flatMap(ours -> figured.none(ours, WRONGS)))
                .toList();
    }

    /** What this course is to show beyond that. */
    Stream<Goal> own(GoalFigures figured);

    /** Nothing beyond that. */
    record Sound() implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return Stream.empty();
        }
    }

    /**
     * In every round ours answers as if nobody had waited, by few calls.
     *
     * @param tps at least
     * @param most by key, what no round may exceed
     */
    record InEveryRound(double tps, Map<String, Double> most) implements CollapseGoals {
        static InEveryRound of(double tps, double meanMillis, double p99Millis, double callsPerSecond) {
            return new InEveryRound(
                    tps, Map.of("mean_ms", meanMillis, "p99_ms", p99Millis, "downstream_calls_per_s", callsPerSecond));
        }

        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return figured.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> Stream.concat(
                            figured.least(ours, "tps", tps),
                            Stream.of("mean_ms", "p99_ms", "downstream_calls_per_s")
                                    .flatMap(key -> figured.most(ours, key, Objects.requireNonNull(most.get(key))))));
        }
    }

    /**
     * In the middle of all rounds the mean time is at most so many times that of the fastest other one.
     *
     * @param times 1 or more
     */
    record NearTheFastest(double times) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return figured.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> figured.contestants().stream()
                            .filter(other -> other.role() != Contestant.Role.OURS)
                            .filter(other -> other.metrics().containsKey("mean_ms"))
                            .min(Comparator.comparingDouble(other -> Objects.requireNonNull(
                                            other.metrics().get("mean_ms"))
                                    .median()))
                            .stream()
                            .flatMap(other -> figured.atMostTimes(ours, "mean_ms", times, other.name(), "mean_ms")));
        }
    }

    /**
     * So many right answers a second in the first 10 s, in every round.
     *
     * @param tps at least
     */
    record First(double tps) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return figured.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> figured.least(ours, "first_10s", tps));
        }
    }

    /** At every budget ours is on the curve or below it, and takes less CPU than any peer. */
    record OnTheCurve(double within) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return figured.ours(CollapseContestants.entries())
                    .flatMap(ours -> Stream.concat(
                            figured.onTheCurve(ours, within), figured.lessThanOthers(ours, "cpu_us_per_tx")));
        }
    }

    /**
     * Ours carries so many times what others do at best.
     *
     * @param times by how the name of the other begins
     */
    record TimesFaster(Map<String, Double> times) implements CollapseGoals {
        @Override
        public Stream<Goal> own(GoalFigures figured) {
            return figured.named(CollapseContestants.PENSTOCK.entry().name()).stream()
                    .flatMap(ours -> times.keySet().stream()
                            .sorted()
                            .flatMap(other ->
                                    figured.times(ours, "tps", other, Objects.requireNonNull(times.get(other)))));
        }
    }
}
