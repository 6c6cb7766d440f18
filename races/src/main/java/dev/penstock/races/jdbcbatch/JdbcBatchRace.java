package dev.penstock.races.jdbcbatch;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.races.jdbcbatch.BatchCourse.DatabaseFault;
import java.util.List;

/** How many single rows per second can be made durable for waiting callers, and whether a kill loses any. */
public final class JdbcBatchRace implements Race {
    private static final int JUDGED = 6;
    private static final int SHOWN = 3;

    /** For the service loader. */
    public JdbcBatchRace() {}

    @Override
    public String name() {
        return "jdbc-batch";
    }

    @Override
    public String question() {
        return "How many single rows per second can be made durable, how long does each caller wait, and what does a kill lose?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                new BatchCourse("closed-200", new JdbcBatchTraffic.Closed(200), DatabaseFault.NONE, JUDGED),
                new BatchCourse("open-5000", new JdbcBatchTraffic.Open(5_000), DatabaseFault.NONE, JUDGED),
                new BatchCourse("slow-disk", new JdbcBatchTraffic.Closed(200), DatabaseFault.SLOW_DISK, JUDGED),
                new BatchCourse("kill", new JdbcBatchTraffic.Closed(200), DatabaseFault.KILL, SHOWN));
    }
}
