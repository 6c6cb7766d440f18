package dev.penstock.races.collapse;

import static dev.penstock.races.GoalRule.least;
import static dev.penstock.races.GoalRule.most;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.Callers;
import dev.penstock.races.DeclaredRace;
import dev.penstock.races.GoalFigures;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** How few calls suffice for the requests of many callers, and how much waiting that costs. */
public final class CollapseRace extends DeclaredRace {
    private static final SimulatedCallTime SLOW = SimulatedCallTime.ofMillis(500);
    private static final SimulatedCallTime FAST = SimulatedCallTime.ofMillis(5);
    private static final SimulatedCallTime COSTLY =
            SimulatedCallTime.ofMillis(20).perItemMillis(2);

    private static final LoadTimes FULL_FAST = LoadTimes.ofMillis(4_000, 8_000);
    private static final LoadTimes QUICK_FAST = LoadTimes.ofMillis(2_000, 3_000);
    private static final LoadTimes FIRST_SECONDS = LoadTimes.ofMillis(0, 10_000);

    /** The rounds of a course without verdicts. */
    private static final int SHOWN = 1;

    /** On the theoretical curve or below it, and less CPU than all others. */
    private static final GoalRule[] ON_THE_CURVE = {
        (figures, ours) -> figures.onTheCurve(ours, 1.1),
        (figures, ours) -> figures.lessThanOthers(ours, "cpu_us_per_tx")
    };

    /** For the service loader. */
    public CollapseRace() {
        super(
                "collapse",
                "How few calls suffice for the requests of many callers, and how much does that add to their latency?",
                CollapseRace::all);
    }

    private static List<Course> all() {
        Duration mean = SLOW.mean();
        return List.of(
                cost("cost", Callers.open(500, "requests"), 4),
                cost("cost-closed-50", Callers.closed(50, COSTLY.mean()), 0),
                cost("cost-closed-200", Callers.closed(200, COSTLY.mean()), 0),
                new CollapseCourse("cold", waiting(), Callers.closed(100, mean), SLOW, 0, true)
                        .lasting(FIRST_SECONDS, FIRST_SECONDS)
                        // Nine tenths of the throughput of 100 callers with calls of 500 ms.
                        .goalsOf(CollapseContestants.PENSTOCK, least("first_10s", 180)),
                slow("closed-100-500ms", Callers.closed(100, mean), SLOW)
                        .goalsOf(CollapseContestants.PENSTOCK, asWithoutBatching(5)),
                slow("closed-100-500ms-spread", Callers.closed(100, mean), SimulatedCallTime.ofMillis(490, 510))
                        .goalsOf(CollapseContestants.PENSTOCK, asWithoutBatching(20)),
                slow("open-200", Callers.open(200, "requests"), SLOW).goals(ON_THE_CURVE),
                slow("open-2000", Callers.open(2_000, "requests"), SLOW).goals(ON_THE_CURVE),
                new MachineryCourse(),
                slow("closed-10-500ms", Callers.closed(10, mean), SLOW).rounds(SHOWN),
                slow("closed-1000-500ms", Callers.closed(1_000, mean), SLOW).rounds(SHOWN),
                slow("closed-100-500ms-together", Callers.together(100), SLOW).rounds(SHOWN),
                slow("closed-100-500ms-think", Callers.thinking(100, mean, Duration.ofMillis(20)), SLOW)
                        .rounds(SHOWN),
                fast("closed-100-5ms", 100, FAST),
                fast("closed-100-5ms-spread", 100, SimulatedCallTime.ofMillis(5, 25)),
                fast("closed-10-5ms", 10, FAST),
                fast("closed-1000-5ms", 1_000, FAST));
    }

    /** The contestants of courses in which calls take time. */
    static List<Entry> waiting() {
        return CollapseContestants.ALL.without("hystrix-1ms", "dataloader-loop", "window-10ms");
    }

    /** Adaptive contestants have seen about 24 calls by the end of the warm-up. */
    private static CollapseCourse slow(String name, Callers callers, SimulatedCallTime calls) {
        return new CollapseCourse(name, waiting(), callers, calls, 0, false)
                .lasting(LoadTimes.ofMillis(12_000, 20_000), LoadTimes.ofMillis(6_000, 6_000));
    }

    private static Course fast(String name, int callers, SimulatedCallTime calls) {
        return new CollapseCourse(name, waiting(), Callers.closed(callers, calls.mean()), calls, 0, false)
                .lasting(FULL_FAST, QUICK_FAST)
                .rounds(SHOWN);
    }

    /** A call takes longer the more items it has, so that larger batches may cost more than they save. */
    private static Course cost(String name, Callers callers, int slots) {
        List<Entry> entries = CollapseContestants.ALL.only(List.of(
                CollapseContestants.NONE,
                "window-10ms",
                "hystrix-10ms",
                "dataloader-10ms",
                CollapseContestants.PENSTOCK));
        return new CollapseCourse(name, entries, callers, COSTLY, slots, false)
                .lasting(FULL_FAST, QUICK_FAST)
                .goalsOf(CollapseContestants.PENSTOCK, CollapseRace::nearTheFastest);
    }

    /** In every round as fast as without batching, with few calls. */
    private static GoalRule[] asWithoutBatching(int callsPerSecond) {
        return new GoalRule[] {
            least("tps", 199), most("mean_ms", 502), most("p99_ms", 510), most("downstream_calls_per_s", callsPerSecond)
        };
    }

    /** The mean time is at most 1.15 times that of the fastest other. */
    private static Stream<Goal> nearTheFastest(GoalFigures figures, Contestant ours) {
        return figures.contestants().stream()
                .filter(other -> other.role() != Role.OURS && other.metrics().containsKey("mean_ms"))
                .min(Comparator.comparingDouble(other ->
                        Objects.requireNonNull(other.metrics().get("mean_ms")).median()))
                .stream()
                .flatMap(other -> figures.atMostTimes(ours, "mean_ms", 1.15, other.name(), "mean_ms"));
    }
}
