package dev.penstock.races.jmsflow;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** The goals of the courses, defined before they ran. Metrics that were not measured are not judged. */
final class JmsFlowGoals {
    private static final double OF_LIMIT = 0.95;
    private static final double OF_LIMIT_PERSISTENT = 0.9;
    private static final double OF_CEILING = 0.95;
    private static final double TIMES_STOP_START = 1.2;

    private JmsFlowGoals() {}

    static List<Goal> of(FlowCourse course, List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        Stream<Goal> sound = figures.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        figures.none(ours, List.of("lost", "duplicates")),
                        figures.most(ours, "in_flight_max", JmsFlowContestants.BOUND)));
        Stream<Goal> fast = figures.named(JmsFlowContestants.PENSTOCK.entry().name()).stream()
                .flatMap(ours -> Stream.concat(bound(course, figures, ours), others(course, figures, ours)));
        return Stream.concat(sound, fast).toList();
    }

    private static Stream<Goal> bound(FlowCourse course, GoalFigures figures, Contestant ours) {
        return course.time().most() > 0
                ? figures.least(ours, "of_ceiling", OF_CEILING)
                : figures.times(
                        ours,
                        "tps",
                        JmsFlowContestants.UNTHROTTLED.entry().name(),
                        course.persistent() ? OF_LIMIT_PERSISTENT : OF_LIMIT);
    }

    private static Stream<Goal> others(FlowCourse course, GoalFigures figures, Contestant ours) {
        Stream<Goal> peers = course.entries().stream()
                .filter(entry -> entry.role() == Role.PEER || entry.role() == Role.BEFORE)
                .flatMap(entry -> figures.times(ours, "tps", entry.name(), 1));
        return Stream.concat(
                peers,
                figures.times(ours, "tps", JmsFlowContestants.STOP_START.entry().name(), TIMES_STOP_START));
    }
}
