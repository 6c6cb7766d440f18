package dev.penstock.races.overhead;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;

/** The cost of limit, deadline, retry, breaker and meter around a call that costs nothing. Immutable. */
public final class OverheadRace implements Race {
    @Override
    public String name() {
        return "overhead";
    }

    @Override
    public String question() {
        return "What do the stages cost around a call that costs nothing?";
    }

    @Override
    public List<Course> courses() {
        return List.of(new NoOpCourse("no-op", 1), new NoOpCourse("no-op-two-threads", 2));
    }
}
