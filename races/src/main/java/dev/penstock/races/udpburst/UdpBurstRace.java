package dev.penstock.races.udpburst;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;

/** How many datagrams a server takes at once and a second, and how many it loses. */
public final class UdpBurstRace implements Race {
    /** For the service loader. */
    public UdpBurstRace() {}

    @Override
    public String name() {
        return "udp-burst";
    }

    @Override
    public String question() {
        return "How many datagrams at once, and how many a second, does a server answer before it loses some, and does it know?";
    }

    @Override
    public List<Course> courses() {
        return List.of(new BurstCourse(), new SustainedCourse(), new SteadyCourse(), new SmallBufferCourse());
    }
}
