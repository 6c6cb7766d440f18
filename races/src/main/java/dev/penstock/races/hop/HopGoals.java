package dev.penstock.races.hop;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** The goals of the courses, set before they run. Metrics that were not measured are not judged. */
final class HopGoals {
    private static final double TIMES_PEER = 2;
    private static final double SHARE_OF_LIMIT = 0.35;
    private static final double TIMES_P99 = 2;
    private static final double RSS_MB = 250;

    private HopGoals() {}

    static List<Goal> of(HopCourse course, List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return figures.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        switch (course) {
                            case FullCourse full -> full(figures, ours);
                            case HalfCourse half when half.share() == HalfCourse.Share.OWN -> Stream.empty();
                            case HalfCourse _ -> half(figures, ours);
                        },
                        Stream.concat(
                                figures.none(ours, List.of("errors")),
                                figures.most(ours, "child_rss_peak_mb", RSS_MB))))
                .toList();
    }

    private static Stream<Goal> full(GoalFigures figures, Contestant ours) {
        return Stream.concat(
                figures.times(ours, "per_cpu_second", HopContestants.SPRING.title(), TIMES_PEER),
                figures.times(ours, "per_cpu_second", HopContestants.HAPROXY.title(), SHARE_OF_LIMIT));
    }

    private static Stream<Goal> half(GoalFigures figures, Contestant ours) {
        return Stream.of("service_p99_ms", "p99_ms")
                .flatMap(key -> figures.atMostTimes(ours, key, TIMES_P99, HopContestants.HAPROXY.title(), key));
    }
}
