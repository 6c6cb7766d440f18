package dev.penstock.races.httppool;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;

/** Compares pooled HTTP clients with a gateway that closes connections, and their cost without faults. */
public final class HttpPoolRace implements Race {
    /** For the service loader. */
    public HttpPoolRace() {}

    @Override
    public String name() {
        return "http-pool";
    }

    @Override
    public String question() {
        return "What does a pooled HTTP client cost, and how many payments does it lose when connections are closed?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                ClosingsCourse.ofConnections(),
                ClosingsCourse.inTheMiddle(),
                SpeedCourse.plain(),
                ClosingsCourse.overTls(),
                SpeedCourse.overTls());
    }
}
