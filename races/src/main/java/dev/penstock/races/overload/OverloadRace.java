package dev.penstock.races.overload;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Entry;
import dev.penstock.races.DeclaredRace;
import dev.penstock.races.LoadTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * How much goodput an overloaded stage yields, and how fast the other requests are rejected. Only the courses with the
 * highest overload have enough rounds for verdicts; the others show one round each from idle to heavy overload, or more
 * with {@code --rounds}.
 */
public final class OverloadRace extends DeclaredRace {
    private static final double FIRST_JUDGED = 3;
    private static final int COLLAPSES_BEYOND = 60;

    /** For the service loader. */
    public OverloadRace() {
        super(
                "overload",
                "How many useful answers does an overloaded stage give, and how fast are the other requests rejected?",
                OverloadRace::all);
    }

    private static List<Course> all() {
        MachineCalibration machine = new MachineCalibration();
        List<Course> courses = new ArrayList<>();
        for (double multiple : List.of(0.5, 1.0, 1.5, 3.0, 10.0)) {
            courses.add(onCpu(OverloadTraffic.Open.steady(multiple), machine, multiple >= FIRST_JUDGED));
        }
        for (int users : List.of(50, 100, 200, 400, 1_600)) {
            courses.add(onCpu(new OverloadTraffic.Users(users), machine, false));
        }
        courses.add(ofServers(
                OverloadTraffic.Open.steady("trap", 1.5),
                machine,
                COLLAPSES_BEYOND,
                1,
                LoadTimes.ofMillis(10_000, 10_000)));
        courses.add(ofServers(
                OverloadTraffic.Open.spike("spike", 0.6, 1.9),
                machine,
                COLLAPSES_BEYOND,
                1,
                LoadTimes.ofMillis(17_000, 12_000)));
        for (int flows : List.of(2, 8)) {
            courses.add(ofServers(
                    OverloadTraffic.Open.steady("fair-" + flows, 1.5),
                    machine,
                    Integer.MAX_VALUE,
                    flows,
                    LoadTimes.ofMillis(5_000, 10_000)));
        }
        return courses;
    }

    private static Course onCpu(OverloadTraffic traffic, MachineCalibration machine, boolean judged) {
        return new OverloadCourse(
                        traffic,
                        machine,
                        0,
                        1,
                        LoadTimes.ofMillis(5_000, judged ? 8_000 : 4_000),
                        OverloadContestants.ALL.entries())
                .rounds(judged ? 6 : 1);
    }

    /** A course on a {@link ServerStage}, with the contestants that its stage could mislead. */
    private static Course ofServers(
            OverloadTraffic traffic, MachineCalibration machine, int slowBeyond, int flows, LoadTimes full) {
        List<Entry> entries = OverloadContestants.ALL.only(List.of(
                OverloadContestants.VIRTUAL_UNLIMITED,
                OverloadContestants.POOL_100_QUEUE_100,
                OverloadContestants.BULKHEAD_TUNED,
                OverloadContestants.GRADIENT2,
                OverloadContestants.VEGAS,
                OverloadContestants.PENSTOCK));
        return new OverloadCourse(traffic, machine, slowBeyond, flows, full, entries).rounds(1);
    }
}
