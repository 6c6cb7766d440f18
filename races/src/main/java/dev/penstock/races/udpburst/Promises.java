package dev.penstock.races.udpburst;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.Figured;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the courses are to show, said before they ran. What was not measured is not judged. */
final class Promises {
    private static final double OF_LIMIT = 0.85;
    private static final double FLOW_OF_LIMIT = 0.4;
    private static final double TIMES_BEFORE = 3;
    private static final double LOST_BEFORE_PERCENT = 50;
    private static final double HEAP_MB = 64;

    private Promises() {}

    static List<Goal> of(DatagramCourse course, List<Contestant> contestants) {
        Figured figured = new Figured(contestants);
        return (switch (course) {
                    case BurstCourse bursts -> bursts(figured, bursts);
                    case SustainedCourse sustained -> sustained(figured);
                    case SteadyCourse steady -> steady(figured, steady);
                    case SmallBufferCourse small -> small(figured, small);
                })
                .toList();
    }

    private static Stream<Goal> bursts(Figured figured, BurstCourse course) {
        return Stream.concat(
                figured.ours(course.entries()).flatMap(ours -> figured.none(ours, List.of("lost", "wrong"))),
                of(
                        figured,
                        Contestants.PLAIN_DEFAULT,
                        before -> figured.least(before, "lost_percent", LOST_BEFORE_PERCENT)));
    }

    private static Stream<Goal> sustained(Figured figured) {
        Stream<Goal> inline = of(
                figured,
                Contestants.INLINE,
                ours -> Stream.of(
                                times(figured, ours, Contestants.C_MMSG, OF_LIMIT),
                                times(figured, ours, Contestants.NETTY, 1),
                                times(figured, ours, Contestants.CHANNEL, 1),
                                times(figured, ours, Contestants.PLAIN_70MB, 1),
                                times(figured, ours, Contestants.PLAIN_DEFAULT, TIMES_BEFORE))
                        .flatMap(goals -> goals));
        Stream<Goal> flow =
                of(figured, Contestants.FLOW, ours -> times(figured, ours, Contestants.C_MMSG, FLOW_OF_LIMIT));
        return Stream.concat(inline, flow);
    }

    private static Stream<Goal> steady(Figured figured, SteadyCourse course) {
        return Stream.concat(
                figured.ours(course.entries())
                        .flatMap(ours -> Stream.concat(
                                figured.none(ours, List.of("lost", "wrong")),
                                figured.most(ours, "heap_peak_mb", HEAP_MB))),
                of(figured, Contestants.INLINE, ours -> figured.none(ours, List.of("bytes_per_call"))));
    }

    private static Stream<Goal> small(Figured figured, SmallBufferCourse course) {
        return figured.ours(course.entries())
                .flatMap(ours -> Stream.concat(
                        figured.none(ours, List.of("uncounted", "wrong")), figured.least(ours, "lost", 1)));
    }

    private static Stream<Goal> times(Figured figured, Contestant ours, Contestants other, double times) {
        return figured.times(ours, "pps", other.title(), times);
    }

    private static Stream<Goal> of(Figured figured, Contestants who, Function<Contestant, Stream<Goal>> goals) {
        return figured.named(who.title()).stream().flatMap(goals);
    }
}
