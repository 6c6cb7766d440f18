package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** What the courses are to show, said before they ran. What was not measured is not judged. */
final class JdbcBatchGoals {
    private static final List<String> WRONGS = List.of("lost", "duplicates", "denied_present");
    private static final double TIMES_PLAIN = 8;
    private static final double OF_BY_HAND = 0.7;
    private static final double TIMES_COMMIT = 2;

    private JdbcBatchGoals() {}

    static List<Goal> of(BatchCourse course, List<Contestant> contestants) {
        GoalFigures figured = new GoalFigures(contestants);
        return figured.ours(course.entries())
                .flatMap(ours -> Stream.concat(figured.none(ours, WRONGS), own(course, figured, ours)))
                .toList();
    }

    private static Stream<Goal> own(BatchCourse course, GoalFigures figured, Contestant ours) {
        if (course.kills()) {
            return Stream.empty();
        }
        Stream<Goal> latency = Stream.concat(
                figured.none(ours, List.of("errors")),
                figured.atMostTimes(ours, "p99_ms", TIMES_COMMIT, ours.name(), "commit_ms"));
        return course.traffic() instanceof JdbcBatchTraffic.Closed ? Stream.concat(throughput(figured, ours), latency) : latency;
    }

    private static Stream<Goal> throughput(GoalFigures figured, Contestant ours) {
        return Stream.concat(
                figured.times(ours, "tps", JdbcBatchContestants.PLAIN.entry().name(), TIMES_PLAIN),
                figured.times(ours, "tps", JdbcBatchContestants.BY_HAND.entry().name(), OF_BY_HAND));
    }
}
