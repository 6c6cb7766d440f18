package dev.penstock.races.jdbcbatch;

import dev.penstock.races.Callers;
import dev.penstock.races.DeclaredRace;
import dev.penstock.races.jdbcbatch.BatchCourse.DatabaseFault;
import java.time.Duration;
import java.util.List;

/** How many single rows per second can be made durable for waiting callers, and whether a kill loses any. */
public final class JdbcBatchRace extends DeclaredRace {
    private static final Callers CLOSED = Callers.closed(200, Duration.ofMillis(20));

    /** For the service loader. */
    public JdbcBatchRace() {
        super(
                "jdbc-batch",
                "How many single rows per second can be made durable, how long does each caller wait, and what does a kill lose?",
                () -> List.of(
                        new BatchCourse("closed-200", CLOSED, DatabaseFault.NONE),
                        new BatchCourse("open-5000", Callers.open(5_000, "rows"), DatabaseFault.NONE),
                        new BatchCourse("slow-disk", CLOSED, DatabaseFault.SLOW_DISK),
                        new BatchCourse("kill", CLOSED, DatabaseFault.KILL).rounds(3)));
    }
}
