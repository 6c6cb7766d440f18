package dev.penstock.races.jdbcbatch;

import dev.penstock.collapse.Collapse;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.races.sql.CountedDriver;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** Ours: a flow with a collapse into batches of its statement. The pool size is fixed to that of the others. */
final class PenstockInserter implements Inserter {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final JdbcTarget target;
    private final Flow<JdbcRequest, JdbcAnswer> flow;

    PenstockInserter(String url, UnaryOperator<Collapse<JdbcRequest, JdbcAnswer>> batches) {
        GuardedDataSource source =
                GuardedDataSource.at(CountedDriver.url(url)).max(Sql.POOL).build();
        target = JdbcTarget.on(source)
                .statement("INSERT INTO entry (id, payload) VALUES (:id, :payload)")
                .closesDataSource()
                .build();
        flow = Flow.named("entries")
                .deadline(DEADLINE)
                .adaptiveConcurrency(1, JdbcBatch.AT_ONCE)
                .to(batches.apply(JdbcBatch.over(target).collapse()));
    }

    @Override
    public Boolean call(Long id) throws Exception {
        return flow.call(JdbcRequest.of("id", id).with("payload", Sql.PAYLOAD)) instanceof JdbcAnswer.Updated(long rows)
                && rows == 1;
    }

    @Override
    public void close() {
        target.close();
    }
}
