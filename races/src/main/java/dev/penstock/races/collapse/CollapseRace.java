package dev.penstock.races.collapse;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How few calls suffice for the requests of many callers, and how much waiting that costs. */
public final class CollapseRace implements Race {
    private static final SimulatedCallTime SLOW = SimulatedCallTime.ofMillis(500);
    private static final SimulatedCallTime FAST = SimulatedCallTime.ofMillis(5);

    /** Adaptive contestants have seen about 24 calls by the end of this warm-up. */
    private static final LoadTimes FULL_SLOW = LoadTimes.ofMillis(12_000, 20_000);

    private static final LoadTimes QUICK_SLOW = LoadTimes.ofMillis(6_000, 6_000);
    private static final LoadTimes FULL_FAST = LoadTimes.ofMillis(4_000, 8_000);
    private static final LoadTimes QUICK_FAST = LoadTimes.ofMillis(2_000, 3_000);

    private static final SimulatedCallTime COSTLY =
            SimulatedCallTime.ofMillis(20).perItemMillis(2);
    private static final LoadTimes FIRST_SECONDS = LoadTimes.ofMillis(0, 10_000);

    private static final int JUDGED = 6;
    private static final int SHOWN = 1;

    /** The ratio to the theoretical curve that still counts as on it. */
    private static final CollapseGoals ON_THE_CURVE = new CollapseGoals.OnTheCurve(1.1);

    /** The maximum ratio of the mean to the best of no collapsing and fixed windows. */
    private static final CollapseGoals COSTS_LITTLE = new CollapseGoals.NearTheFastest(1.15);

    /** Nine tenths of the throughput of 100 callers with calls of 500 ms. */
    private static final CollapseGoals NEAR_TUNED = new CollapseGoals.First(180);

    private static final CollapseGoals SOUND = new CollapseGoals.Sound();

    /** For the service loader. */
    public CollapseRace() {}

    @Override
    public String name() {
        return "collapse";
    }

    @Override
    public String question() {
        return "How few calls suffice for the requests of many callers, and how much does that add to their latency?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                cost("cost", new CollapseTraffic.Open(500), 4),
                cost("cost-closed-50", CollapseTraffic.Closed.of(50), 0),
                cost("cost-closed-200", CollapseTraffic.Closed.of(200), 0),
                cold(),
                slow(
                        "closed-100-500ms",
                        CollapseTraffic.Closed.of(100),
                        SLOW,
                        JUDGED,
                        CollapseGoals.InEveryRound.of(199, 502, 510, 5)),
                slow(
                        "closed-100-500ms-spread",
                        CollapseTraffic.Closed.of(100),
                        SimulatedCallTime.ofMillis(490, 510),
                        JUDGED,
                        CollapseGoals.InEveryRound.of(199, 502, 510, 20)),
                slow("open-200", new CollapseTraffic.Open(200), SLOW, JUDGED, ON_THE_CURVE),
                slow("open-2000", new CollapseTraffic.Open(2_000), SLOW, JUDGED, ON_THE_CURVE),
                machinery(),
                slow("closed-10-500ms", CollapseTraffic.Closed.of(10), SLOW, SHOWN, SOUND),
                slow("closed-1000-500ms", CollapseTraffic.Closed.of(1_000), SLOW, SHOWN, SOUND),
                slow(
                        "closed-100-500ms-together",
                        new CollapseTraffic.Closed(100, true, Duration.ZERO),
                        SLOW,
                        SHOWN,
                        SOUND),
                slow(
                        "closed-100-500ms-think",
                        new CollapseTraffic.Closed(100, false, Duration.ofMillis(20)),
                        SLOW,
                        SHOWN,
                        SOUND),
                fast("closed-100-5ms", 100, FAST),
                fast("closed-100-5ms-spread", 100, SimulatedCallTime.ofMillis(5, 25)),
                fast("closed-10-5ms", 10, FAST),
                fast("closed-1000-5ms", 1_000, FAST));
    }

    private static Course slow(
            String name, CollapseTraffic traffic, SimulatedCallTime calls, int rounds, CollapseGoals promise) {
        return new CollapseCourse(
                name, traffic, calls, 0, false, FULL_SLOW, QUICK_SLOW, rounds, CollapseContestants.waiting(), promise);
    }

    private static Course fast(String name, int callers, SimulatedCallTime calls) {
        return new CollapseCourse(
                name,
                CollapseTraffic.Closed.of(callers),
                calls,
                0,
                false,
                FULL_FAST,
                QUICK_FAST,
                SHOWN,
                CollapseContestants.waiting(),
                SOUND);
    }

    /** A call takes longer the more items it has, so that larger batches may cost more than they save. */
    private static Course cost(String name, CollapseTraffic traffic, int slots) {
        return new CollapseCourse(
                name,
                traffic,
                COSTLY,
                slots,
                false,
                FULL_FAST,
                QUICK_FAST,
                JUDGED,
                CollapseContestants.costs(),
                COSTS_LITTLE);
    }

    private static Course cold() {
        return new CollapseCourse(
                "cold",
                CollapseTraffic.Closed.of(100),
                SLOW,
                0,
                true,
                FIRST_SECONDS,
                FIRST_SECONDS,
                JUDGED,
                CollapseContestants.waiting(),
                NEAR_TUNED);
    }

    private static Course machinery() {
        return new MachineryCourse(
                64,
                LoadTimes.ofMillis(5_000, 6_000),
                LoadTimes.ofMillis(4_000, 4_000),
                JUDGED,
                new CollapseGoals.TimesFaster(Map.of("hystrix", 3.0, "dataloader", 1.5)));
    }
}
