package dev.penstock.races.hop;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;

/** What one hop costs. */
public final class HopRace implements Race {
    /** For the service loader. */
    public HopRace() {}

    @Override
    public String name() {
        return "hop";
    }

    @Override
    public String question() {
        return "What does one hop before a server that answers at once cost: CPU, memory, time?";
    }

    @Override
    public List<Course> courses() {
        MostAnswered most = new MostAnswered();
        return List.of(
                new FullCourse(),
                new HalfCourse(HalfCourse.Share.SAME, most),
                new HalfCourse(HalfCourse.Share.OWN, most));
    }
}
