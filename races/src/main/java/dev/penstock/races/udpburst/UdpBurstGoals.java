package dev.penstock.races.udpburst;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the courses are to show, said before they ran. What was not measured is not judged. */
final class UdpBurstGoals {
    private static final double OF_LIMIT = 0.85;
    private static final double FLOW_OF_LIMIT = 0.4;
    private static final double TIMES_BEFORE = 3;
    private static final double LOST_BEFORE_PERCENT = 50;
    private static final double HEAP_MB = 64;

    private UdpBurstGoals() {}

    static List<Goal> of(DatagramCourse course, List<Contestant> contestants) {
        GoalFigures figured = new GoalFigures(contestants);
        return (switch (course) {
                    case BurstCourse bursts -> bursts(figured, bursts);
                    case SustainedCourse sustained -> sustained(figured);
                    case SteadyCourse steady -> steady(figured, steady);
                    case SmallBufferCourse small -> small(figured, small);
                })
                .toList();
    }

    private static Stream<Goal> bursts(GoalFigures figured, BurstCourse course) {
        return Stream.concat(
                figured.ours(course.entries()).flatMap(ours -> figured.none(ours, List.of("lost", "wrong"))),
                of(
                        figured,
                        UdpBurstContestants.PLAIN_DEFAULT,
                        before -> figured.least(before, "lost_percent", LOST_BEFORE_PERCENT)));
    }

    private static Stream<Goal> sustained(GoalFigures figured) {
        Stream<Goal> inline = of(
                figured,
                UdpBurstContestants.INLINE,
                ours -> Stream.of(
                                times(figured, ours, UdpBurstContestants.C_MMSG, OF_LIMIT),
                                times(figured, ours, UdpBurstContestants.NETTY, 1),
                                times(figured, ours, UdpBurstContestants.CHANNEL, 1),
                                times(figured, ours, UdpBurstContestants.PLAIN_70MB, 1),
                                times(figured, ours, UdpBurstContestants.PLAIN_DEFAULT, TIMES_BEFORE))
                        .flatMap(goals -> goals));
        Stream<Goal> flow =
                of(figured, UdpBurstContestants.FLOW, ours -> times(figured, ours, UdpBurstContestants.C_MMSG, FLOW_OF_LIMIT));
        return Stream.concat(inline, flow);
    }

    private static Stream<Goal> steady(GoalFigures figured, SteadyCourse course) {
        return Stream.concat(
                figured.ours(course.entries())
                        .flatMap(ours -> Stream.concat(
                                figured.none(ours, List.of("lost", "wrong")),
                                figured.most(ours, "heap_peak_mb", HEAP_MB))),
                of(figured, UdpBurstContestants.INLINE, ours -> figured.none(ours, List.of("bytes_per_call"))));
    }

    private static Stream<Goal> small(GoalFigures figured, SmallBufferCourse course) {
        return figured.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        figured.none(ours, List.of("uncounted", "wrong")), figured.least(ours, "lost", 1)));
    }

    private static Stream<Goal> times(GoalFigures figured, Contestant ours, UdpBurstContestants other, double times) {
        return figured.times(ours, "pps", other.title(), times);
    }

    private static Stream<Goal> of(GoalFigures figured, UdpBurstContestants who, Function<Contestant, Stream<Goal>> goals) {
        return figured.named(who.title()).stream().flatMap(goals);
    }
}
