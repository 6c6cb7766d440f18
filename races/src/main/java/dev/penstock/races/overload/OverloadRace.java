package dev.penstock.races.overload;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.races.LoadTimes;
import java.util.ArrayList;
import java.util.List;

/** How much goodput an overloaded stage yields, and how fast the other requests are rejected. */
public final class OverloadRace implements Race {
    private static final List<Double> MULTIPLES = List.of(0.5, 1.0, 1.5, 3.0, 10.0);
    private static final double FIRST_JUDGED = 3;
    private static final List<Integer> USERS = List.of(50, 100, 200, 400, 1_600);

    private static final int COLLAPSES_BEYOND = 60;
    private static final List<Integer> FLOWS = List.of(2, 8);

    private final List<Course> courses = new ArrayList<>();

    /** For the service loader. */
    public OverloadRace() {
        MachineCalibration machineCalibration = new MachineCalibration();
        for (double multiple : MULTIPLES) {
            OverloadTraffic traffic = OverloadTraffic.Open.steady(multiple);
            courses.add(
                    multiple < FIRST_JUDGED
                            ? OverloadCourse.shown(traffic, machineCalibration)
                            : OverloadCourse.judged(traffic, machineCalibration));
        }
        USERS.forEach(users -> courses.add(OverloadCourse.shown(new OverloadTraffic.Users(users), machineCalibration)));
        courses.add(OverloadCourse.ofServers(
                OverloadTraffic.Open.steady("trap", 1.5),
                machineCalibration,
                COLLAPSES_BEYOND,
                1,
                LoadTimes.ofMillis(10_000, 10_000)));
        courses.add(OverloadCourse.ofServers(
                OverloadTraffic.Open.spike("spike", 0.6, 1.9),
                machineCalibration,
                COLLAPSES_BEYOND,
                1,
                LoadTimes.ofMillis(17_000, 12_000)));
        for (int flows : FLOWS) {
            courses.add(OverloadCourse.ofServers(
                    OverloadTraffic.Open.steady("fair-" + flows, 1.5),
                    machineCalibration,
                    Integer.MAX_VALUE,
                    flows,
                    LoadTimes.ofMillis(5_000, 10_000)));
        }
    }

    @Override
    public String name() {
        return "overload";
    }

    @Override
    public String question() {
        return "How many useful answers does an overloaded stage give, and how fast are the other requests"
                + " rejected?";
    }

    @Override
    public List<Course> courses() {
        return List.copyOf(courses);
    }
}
