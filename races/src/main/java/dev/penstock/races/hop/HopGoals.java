package dev.penstock.races.hop;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** What the courses are to show, said before they ran. What was not measured is not judged. */
final class HopGoals {
    private static final double OF_PEER = 2;
    private static final double OF_LIMIT = 0.35;
    private static final double TIMES_P99 = 2;
    private static final double RSS_MB = 250;

    private HopGoals() {}

    static List<Goal> of(HopCourse course, List<Contestant> contestants) {
        GoalFigures figured = new GoalFigures(contestants);
        return figured.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        switch (course) {
                            case FullCourse full -> full(figured, ours);
                            case HalfCourse half when half.share() == HalfCourse.Share.OWN -> Stream.empty();
                            case HalfCourse _ -> half(figured, ours);
                        },
                        Stream.concat(
                                figured.none(ours, List.of("errors")),
                                figured.most(ours, "child_rss_peak_mb", RSS_MB))))
                .toList();
    }

    private static Stream<Goal> full(GoalFigures figured, Contestant ours) {
        return Stream.concat(
                figured.times(ours, "per_cpu_second", HopContestants.SPRING.title(), OF_PEER),
                figured.times(ours, "per_cpu_second", HopContestants.HAPROXY.title(), OF_LIMIT));
    }

    private static Stream<Goal> half(GoalFigures figured, Contestant ours) {
        return Stream.of("service_p99_ms", "p99_ms")
                .flatMap(key -> figured.atMostTimes(ours, key, TIMES_P99, HopContestants.HAPROXY.title(), key));
    }
}
