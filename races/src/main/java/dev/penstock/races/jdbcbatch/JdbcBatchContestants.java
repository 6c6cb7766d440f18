package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Collapse;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.collapse.HystrixBatcher;
import dev.penstock.races.sql.CountedDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The contestants of the race, each created for the URL of PostgreSQL, which it accesses through the counting driver. */
final class JdbcBatchContestants {
    /** The usual code. */
    static final String PLAIN = "hikari-autocommit";

    /** See {@link HandWritten}. */
    static final String BY_HAND = "batch-by-hand";

    static final ContestantList<Function<String, Inserter>> ALL = ContestantList.<Function<String, Inserter>>of(
                    "jdbc-batch")
            .add(PLAIN, Role.BEFORE, "Hikari, 20 connections, autocommit per insert", PlainInserter::new)
            .add(
                    BY_HAND,
                    Role.LIMIT,
                    HandWritten.WRITERS + " threads take the waiting rows, " + HandWritten.MAX
                            + " at most, executeBatch (rewritten as one insert) and one commit, no timer",
                    HandWritten::new)
            .add(
                    "hystrix-batch",
                    Role.PEER,
                    "HystrixCollapser, timer 10 ms, 100 rows at most, the same batch, 20 concurrent batches",
                    url -> new HystrixInserter(url, Duration.ofMillis(10)))
            // The defaults, except for the pool size, which is the same for all.
            .add(
                    "penstock",
                    Role.OURS,
                    "flow with a deadline of 10 s, collapse into JdbcBatch (rewritten too) and limit of 1 to 4 at their defaults, 20 connections at most",
                    url -> new PenstockInserter(url, batch -> batch))
            // With the same batch size as the others.
            .add(
                    "penstock-100",
                    Role.OURS,
                    "the same with 100 rows at most",
                    url -> new PenstockInserter(url, batch -> batch.max(HandWritten.MAX)));

    private JdbcBatchContestants() {}

    /**
     * A contestant: writes a row with this number, and answers after its commit. Other endings are exceptions. Thread-safe.
     */
    interface Inserter extends Service<Long, Boolean>, AutoCloseable {
        /** Closes its threads and connections. */
        @Override
        void close();
    }

    /** The usual code: a pooled connection, one statement with autocommit. */
    private static final class PlainInserter implements Inserter {
        private final HikariDataSource pool;

        PlainInserter(String url) {
            pool = Sql.pool(url);
        }

        @Override
        public Boolean call(Long id) throws Exception {
            try (Connection connection = Sql.connection(pool)) {
                Sql.insert(connection, id);
                return true;
            } catch (SQLException e) {
                throw Sql.ending(e);
            }
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /** Hystrix's collapser, whose batch command writes its rows with {@code executeBatch} and one commit. */
    private static final class HystrixInserter implements Inserter {
        private final HikariDataSource pool;
        private final HystrixBatcher<Long, Boolean> batcher;

        HystrixInserter(String url, Duration timer) {
            pool = Sql.pool(url);
            batcher = new HystrixBatcher<>(this::insert, timer, HandWritten.MAX, Sql.POOL);
        }

        private List<Boolean> insert(List<Long> ids) throws Unanswered {
            Sql.insertAll(pool, ids);
            return Collections.nCopies(ids.size(), true);
        }

        @Override
        public Boolean call(Long id) throws Exception {
            return batcher.call(id);
        }

        @Override
        public void close() {
            batcher.close();
            pool.close();
        }
    }

    /** Ours: a flow with a collapse into batches of its statement. The pool size is fixed to that of the others. */
    private static final class PenstockInserter implements Inserter {
        private static final Duration DEADLINE = Duration.ofSeconds(10);

        private final JdbcTarget target;
        private final Flow<JdbcRequest, JdbcAnswer> flow;

        PenstockInserter(String url, UnaryOperator<Collapse<JdbcRequest, JdbcAnswer>> batches) {
            GuardedDataSource source = GuardedDataSource.at(CountedDriver.url(url))
                    .max(Sql.POOL)
                    .property("reWriteBatchedInserts", "true")
                    .build();
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
            return flow.call(JdbcRequest.of("id", id).with("payload", Sql.PAYLOAD)) instanceof JdbcAnswer.Updated;
        }

        @Override
        public void close() {
            target.close();
        }
    }
}
