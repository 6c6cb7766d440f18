package dev.penstock.races.udpburst;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The goals of the courses, set before they run. Metrics that were not measured are not judged. */
final class UdpBurstGoals {
    private static final double SHARE_OF_LIMIT = 0.85;
    private static final double FLOW_SHARE_OF_LIMIT = 0.4;
    private static final double TIMES_BEFORE = 3;
    private static final double LOST_BEFORE_PERCENT = 50;
    private static final double HEAP_MB = 64;

    private UdpBurstGoals() {}

    static List<Goal> of(DatagramCourse course, List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return (switch (course) {
                    case BurstCourse bursts -> bursts(figures, bursts);
                    case SustainedCourse sustained -> sustained(figures);
                    case SteadyCourse steady -> steady(figures, steady);
                    case SmallBufferCourse small -> small(figures, small);
                })
                .toList();
    }

    private static Stream<Goal> bursts(GoalFigures figures, BurstCourse course) {
        return Stream.concat(
                figures.ours(course.entries()).flatMap(ours -> figures.none(ours, List.of("lost", "wrong"))),
                of(
                        figures,
                        UdpBurstContestants.PLAIN_DEFAULT,
                        before -> figures.least(before, "lost_percent", LOST_BEFORE_PERCENT)));
    }

    private static Stream<Goal> sustained(GoalFigures figures) {
        Stream<Goal> inline = of(
                figures,
                UdpBurstContestants.INLINE,
                ours -> Stream.of(
                                times(figures, ours, UdpBurstContestants.C_MMSG, SHARE_OF_LIMIT),
                                times(figures, ours, UdpBurstContestants.NETTY, 1),
                                times(figures, ours, UdpBurstContestants.CHANNEL, 1),
                                times(figures, ours, UdpBurstContestants.PLAIN_70MB, 1),
                                times(figures, ours, UdpBurstContestants.PLAIN_DEFAULT, TIMES_BEFORE))
                        .flatMap(goals -> goals));
        Stream<Goal> flow = of(
                figures,
                UdpBurstContestants.FLOW,
                ours -> times(figures, ours, UdpBurstContestants.C_MMSG, FLOW_SHARE_OF_LIMIT));
        return Stream.concat(inline, flow);
    }

    private static Stream<Goal> steady(GoalFigures figures, SteadyCourse course) {
        return Stream.concat(
                figures.ours(course.entries())
                        .flatMap(ours -> Stream.concat(
                                figures.none(ours, List.of("lost", "wrong")),
                                figures.most(ours, "heap_peak_mb", HEAP_MB))),
                of(figures, UdpBurstContestants.INLINE, ours -> figures.none(ours, List.of("bytes_per_call"))));
    }

    private static Stream<Goal> small(GoalFigures figures, SmallBufferCourse course) {
        return figures.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        figures.none(ours, List.of("uncounted", "wrong")), figures.least(ours, "lost", 1)));
    }

    private static Stream<Goal> times(GoalFigures figures, Contestant ours, UdpBurstContestants other, double times) {
        return figures.times(ours, "pps", other.title(), times);
    }

    private static Stream<Goal> of(
            GoalFigures figures, UdpBurstContestants who, Function<Contestant, Stream<Goal>> goals) {
        return figures.named(who.title()).stream().flatMap(goals);
    }
}
