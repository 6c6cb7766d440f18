package dev.penstock.races.jdbcidle;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.simulate.tcp.IdleKill;
import java.util.List;

/** Which pools hand out dead connections, and at what cost, behind a middlebox that kills idle ones. */
public final class JdbcIdleRace implements Race {
    private static final int JUDGED = 6;
    private static final int SHOWN = 1;

    /** For the service loader. */
    public JdbcIdleRace() {}

    @Override
    public String name() {
        return "jdbc-idle";
    }

    @Override
    public String question() {
        return "How long do callers wait, and how many fail, when a middlebox kills idle database connections?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                gaps("blackhole", IdleKill.BLACKHOLE),
                gaps("rst", IdleKill.RST),
                new IdleCourse("long-gaps", IdleKill.BLACKHOLE, Bursts.of(2, 90), Bursts.of(2, 30), SHOWN));
    }

    private static Course gaps(String name, IdleKill how) {
        return new IdleCourse(name, how, Bursts.of(3, 3, 7, 12), Bursts.of(1, 3, 7, 12, 7), JUDGED);
    }
}
