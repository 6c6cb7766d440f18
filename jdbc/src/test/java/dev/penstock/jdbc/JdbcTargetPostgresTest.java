package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.JdbcTargetRealClockTest.H2;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class JdbcTargetPostgresTest extends JdbcTargetContract {
    private final FreshSchema schema;
    private final HikariDataSource pool = new HikariDataSource();

    JdbcTargetPostgresTest() throws Exception {
        schema = RealPostgres.shared().schema();
        pool.setJdbcUrl(schema.url());
        pool.setMaximumPoolSize(4);
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        schema.close();
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    void execute(String sql) throws SQLException {
        H2.execute(pool, sql);
    }

    @Override
    long number(String sql) throws SQLException {
        return H2.number(pool, sql);
    }

    /** Waits for the server's confirmation of a cancel, however busy the machine is. */
    private JdbcTarget patient(String sql) {
        return JdbcTarget.on(pool).statement(sql).cancelGrace(HELD).build();
    }

    @Test
    void serverConfirmsCancelOfLateStatement() throws Exception {
        try (var target = patient("insert into payment(id, amount) select 'p', 1 from pg_sleep(:s)")) {
            Unanswered ending = endingWithin(SHORT, target, JdbcRequest.of("s", 600));
            assertThat(ending.why()).isEqualTo(Failed.Cause.UNDONE);
            assertThat(ending).hasMessageContaining("57014");
            assertThat(target.call(JdbcRequest.of("s", 0))).isEqualTo(new JdbcAnswer.Updated(1));
        }
    }

    @Test
    void flowKeepsSqlStateButNoValuesOfAnError() throws Exception {
        execute("insert into payment(id, amount) values ('hunter2', 1)");
        try (var target = target("insert into payment(id, amount) values (:id, :amount)")) {
            var flow = Flow.named("orders").to(target);
            assertThatThrownBy(() -> flow.call(JdbcRequest.of("id", "hunter2").with("amount", 1)))
                    .isInstanceOf(Failed.class);
            assertThat(flow.reasons()).hasSize(1);
            assertThat(flow.reasons().getFirst().reason().toString())
                    .startsWith("failed (refused): the database refused the statement: ERROR: duplicate key value")
                    .contains("org.postgresql.util.PSQLException (SQLState 23505)")
                    .doesNotContain("hunter2");
        }
    }

    @Test
    void cancelsStatementThatWaitsForALock() throws Exception {
        execute("insert into payment(id, amount) values ('p', 1)");
        try (Connection other = schema.connect();
                var target = patient("update payment set amount = 2 where id = :id")) {
            other.setAutoCommit(false);
            other.createStatement().execute("update payment set amount = 3");
            Unanswered ending = endingWithin(SHORT, target, JdbcRequest.of("id", "p"));
            assertThat(ending.why()).isEqualTo(Failed.Cause.UNDONE);
        }
    }

    @Test
    void terminatedSessionIsUnknownUnlessItOnlyReads() throws Exception {
        String end = "select pg_terminate_backend(pg_backend_pid())";
        try (var writes = target(end);
                var reads = JdbcTarget.on(pool).statement(end).reads(true).build()) {
            Unanswered ending = endingWithin(HELD, writes, JdbcRequest.empty());
            assertThat(ending.why()).isEqualTo(Unknown.Cause.CLOSED);
            Unanswered read = endingWithin(HELD, reads, JdbcRequest.empty());
            assertThat(read.why()).isEqualTo(Failed.Cause.ROLLED_BACK);
        }
    }

    @Test
    void deadlockIsRolledBack() throws Exception {
        execute("insert into payment(id, amount) values ('a', 1), ('b', 1)");
        try (Connection other = schema.connect();
                var target = target("with first as (update payment set amount = 2 where id = 'a' returning 1)"
                        + " update payment set amount = 2 where id = 'b' and exists (select 1 from first)")) {
            other.setAutoCommit(false);
            other.createStatement().execute("set deadlock_timeout = '1h'");
            other.createStatement().execute("update payment set amount = 3 where id = 'b'");
            Thread crossing = Thread.ofVirtual().start(() -> cross(other));
            Unanswered ending = endingWithin(HELD, target, JdbcRequest.empty());
            assertThat(ending.why()).isEqualTo(Failed.Cause.ROLLED_BACK);
            assertThat(ending).hasMessageContaining("40P01");
            crossing.join();
        }
    }

    /** Updates the row that the target has locked, once the target waits for ours: a deadlock. */
    private void cross(Connection other) {
        try {
            while (number("select count(*) from pg_locks where not granted") == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            other.createStatement().execute("update payment set amount = 3 where id = 'a'");
            other.rollback();
        } catch (SQLException gone) {
            throw new AssertionError(gone);
        }
    }

    @Test
    void writesAndReadsPostgresqlTypes() throws Exception {
        execute("create table doc(id uuid primary key, body jsonb, tags text[])");
        try (var write = target("insert into doc values (:id, :body, array[:tag, 'b']) returning id, body, tags")) {
            JdbcAnswer answer = write.call(JdbcRequest.of("id", "6f2c1a52-0000-4000-8000-000000000001")
                    .with("body", new JsonText("{\"a\":[1]}"))
                    .with("tag", "x"));
            assertThat(new String(answer.toJson(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"rows\":[{\"id\":\"6f2c1a52-0000-4000-8000-000000000001\",\"body\":{\"a\": [1]},"
                            + "\"tags\":[\"x\",\"b\"]}]}");
        }
        try (var has = target("select count(*) as n from doc where body ?? :key")) {
            JdbcAnswer.Rows rows = (JdbcAnswer.Rows) has.call(JdbcRequest.of("key", "a"));
            assertThat(rows.value(0, "n")).isEqualTo(1L);
        }
    }
}
