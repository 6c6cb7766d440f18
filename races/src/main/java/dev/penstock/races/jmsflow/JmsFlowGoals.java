package dev.penstock.races.jmsflow;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.stream.Stream;

/** What the courses are to show, said before they ran. What was not measured is not judged. */
final class JmsFlowGoals {
    private static final double OF_LIMIT = 0.95;
    private static final double OF_LIMIT_PERSISTENT = 0.9;
    private static final double OF_CEILING = 0.95;
    private static final double TIMES_STOP_START = 1.2;

    private JmsFlowGoals() {}

    static List<Goal> of(FlowCourse course, List<Contestant> contestants) {
        GoalFigures figured = new GoalFigures(contestants);
        Stream<Goal> sound = figured.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        figured.none(ours, List.of("lost", "duplicates")),
                        figured.most(ours, "in_flight_max", JmsFlowContestants.BOUND)));
        Stream<Goal> fast = figured.named(JmsFlowContestants.PENSTOCK.entry().name()).stream()
                .flatMap(ours -> Stream.concat(bound(course, figured, ours), others(course, figured, ours)));
        return Stream.concat(sound, fast).toList();
    }

    private static Stream<Goal> bound(FlowCourse course, GoalFigures figured, Contestant ours) {
        return course.time().most() > 0
                ? figured.least(ours, "of_ceiling", OF_CEILING)
                : figured.times(
                        ours,
                        "tps",
                        JmsFlowContestants.UNTHROTTLED.entry().name(),
                        course.persistent() ? OF_LIMIT_PERSISTENT : OF_LIMIT);
    }

    private static Stream<Goal> others(FlowCourse course, GoalFigures figured, Contestant ours) {
        Stream<Goal> peers = course.entries().stream()
                .filter(entry -> entry.role() == Role.PEER || entry.role() == Role.BEFORE)
                .flatMap(entry -> figured.times(ours, "tps", entry.name(), 1));
        return Stream.concat(
                peers, figured.times(ours, "tps", JmsFlowContestants.STOP_START.entry().name(), TIMES_STOP_START));
    }
}
