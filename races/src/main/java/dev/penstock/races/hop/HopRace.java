package dev.penstock.races.hop;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.races.hop.HalfCourse.MaxRate;
import java.util.List;

/** The cost of one hop. */
public final class HopRace implements Race {
    /** For the service loader. */
    public HopRace() {}

    @Override
    public String name() {
        return "hop";
    }

    @Override
    public String question() {
        return "What does one hop in front of a server that answers immediately cost in CPU, memory and latency?";
    }

    @Override
    public List<Course> courses() {
        MaxRate maxRate = new MaxRate();
        return List.of(
                new FullCourse(),
                new HalfCourse(HalfCourse.Share.SAME, maxRate),
                new HalfCourse(HalfCourse.Share.OWN, maxRate));
    }
}
