package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** The goals of the courses, defined before they ran. Metrics that were not measured are not judged. */
final class JdbcBatchGoals {
    private static final List<String> MUST_BE_ZERO = List.of("lost", "duplicates", "denied_present");
    private static final double TIMES_PLAIN = 8;
    private static final double OF_BY_HAND = 0.7;
    private static final double TIMES_COMMIT = 2;

    private JdbcBatchGoals() {}

    static List<Goal> of(BatchCourse course, List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return figures.ours(course.entries())
                .flatMap(ours -> Stream.concat(figures.none(ours, MUST_BE_ZERO), own(course, figures, ours)))
                .toList();
    }

    private static Stream<Goal> own(BatchCourse course, GoalFigures figures, Contestant ours) {
        if (course.kills()) {
            return Stream.empty();
        }
        Stream<Goal> latency = Stream.concat(
                figures.none(ours, List.of("errors")),
                figures.atMostTimes(ours, "p99_ms", TIMES_COMMIT, ours.name(), "commit_ms"));
        return course.traffic() instanceof JdbcBatchTraffic.Closed
                ? Stream.concat(throughput(figures, ours), latency)
                : latency;
    }

    private static Stream<Goal> throughput(GoalFigures figures, Contestant ours) {
        return Stream.concat(
                figures.times(ours, "tps", JdbcBatchContestants.PLAIN.entry().name(), TIMES_PLAIN),
                figures.times(ours, "tps", JdbcBatchContestants.BY_HAND.entry().name(), OF_BY_HAND));
    }
}
