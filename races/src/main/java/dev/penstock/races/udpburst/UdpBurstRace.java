package dev.penstock.races.udpburst;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.util.List;

/** How many datagrams a server can take at once and per second, and how many it loses. */
public final class UdpBurstRace implements Race {
    /** For the service loader. */
    public UdpBurstRace() {}

    @Override
    public String name() {
        return "udp-burst";
    }

    @Override
    public String question() {
        return "How large a burst, and what datagram rate, does a server handle without loss, and does it count what it loses?";
    }

    @Override
    public List<Course> courses() {
        return List.of(new BurstCourse(), new SustainedCourse(), new SteadyCourse(), new SmallBufferCourse());
    }
}
