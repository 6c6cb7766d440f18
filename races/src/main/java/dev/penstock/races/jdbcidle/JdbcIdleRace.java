package dev.penstock.races.jdbcidle;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long callers wait when idle database connections die on the way, at the times of real firewalls. */
public final class JdbcIdleRace implements Race {
    /** For the service loader. */
    public JdbcIdleRace() {}

    @Override
    public String name() {
        return "jdbc-idle";
    }

    @Override
    public String question() {
        return "How long do callers wait, and how many fail, when idle database connections die on the way?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                course("kill-60s", Duration.ofSeconds(60), 3),
                course("kill-240s", Duration.ofSeconds(240), 2),
                course("lost-path", null, 3),
                course("kill-20s", Duration.ofSeconds(20), 3));
    }

    private static Course course(String name, @Nullable Duration kill, int gaps) {
        return new IdleCourse(name, kill, gaps);
    }
}
