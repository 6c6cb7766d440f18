package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.BatchEndings;
import dev.penstock.Deadline;
import dev.penstock.jdbc.JdbcTargetRealClockTest.H2;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

@Timeout(300)
class JdbcBatchPostgresTest extends JdbcBatchContract {
    private final FreshSchema schema;
    private HikariDataSource pool = new HikariDataSource();

    JdbcBatchPostgresTest() throws Exception {
        schema = RealPostgres.shared().schema();
        pool = pool("");
    }

    private HikariDataSource pool(String more) {
        HikariDataSource made = new HikariDataSource();
        made.setJdbcUrl(schema.url() + more);
        made.setMaximumPoolSize(4);
        return made;
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

    @Test
    void deferredConstraintDoesNotFailTheOthers() throws Exception {
        execute("create table part(id bigint, payment bigint references payment deferrable initially deferred)");
        execute("insert into payment values (1, 1)");
        try (var parts = batch("insert into part values (:id, :payment)")) {
            List<JdbcRequest> requests = List.of(
                    JdbcRequest.of("id", 1).with("payment", 1),
                    JdbcRequest.of("id", 2).with("payment", 99),
                    JdbcRequest.of("id", 3).with("payment", 1),
                    JdbcRequest.of("id", 4).with("payment", "x"),
                    JdbcRequest.of("id", 5).with("payment", 1));
            assertThat(words(parts.call(requests)))
                    .containsExactly(
                            "Updated[count=1]",
                            "failed refused",
                            "Updated[count=1]",
                            "failed refused",
                            "Updated[count=1]");
        }
        assertThat(number("select sum(id) from part")).isEqualTo(9);
    }

    @Test
    void lateBatchIsUndoneAndSaysSo() throws Exception {
        execute("insert into payment values (1, 1)");
        try (Connection other = schema.connect();
                var changes = JdbcBatch.over(JdbcTarget.on(pool)
                        .statement("update payment set amount = :amount where id = :id")
                        .cancelGrace(JdbcTargetContract.HELD)
                        .build())) {
            other.setAutoCommit(false);
            other.createStatement().execute("update payment set amount = 3");
            var endings =
                    Deadline.in(Duration.ofSeconds(1)).call(() -> changes.call(List.of(payment(1, 2), payment(2, 2))));
            assertThat(words(endings)).containsOnly("failed undone");
        }
        assertThat(number("select amount from payment")).isEqualTo(1);
    }

    @Test
    void connectionLostBeforeCommitIsRolledBack() throws Exception {
        try (var writes = batch("insert into payment select :id, :amount from"
                + " (select case when :id = 2 then pg_terminate_backend(pg_backend_pid()) end) x")) {
            assertThat(words(writes.call(List.of(payment(1, 2), payment(2, 2), payment(3, 2)))))
                    .containsOnly("failed rolled_back");
        }
        assertThat(number("select count(*) from payment")).isZero();
    }

    /** The driver sends four rows as one statement, of which it knows no count for each, and one row by itself. */
    @Test
    void rewrittenBatchReportsNoCounts() throws Exception {
        pool.close();
        pool = pool("&reWriteBatchedInserts=true");
        execute("insert into payment values (2, 1)");
        List<JdbcRequest> five = List.of(payment(1, 2), payment(2, 2), payment(3, 2), payment(4, 2), payment(5, 2));
        try (var writes = batch("insert into payment(id, amount) values (:id, :amount) on conflict do nothing")) {
            BatchEndings<JdbcAnswer> endings = writes.call(five);
            assertThat(words(endings).subList(0, 4))
                    .containsOnly("Updated[count=" + JdbcAnswer.Updated.NOT_REPORTED + "]");
            assertThat(endings.answer(0).toJson()).asString().isEqualTo("{\"updated\":null}");
            assertThat(words(endings)).last().isEqualTo("Updated[count=1]");
        }
        assertThat(number("select count(*) from payment")).isEqualTo(5);
    }

    @Test
    void rewrittenBatchIsolatesWhatIsRefused() throws Exception {
        pool.close();
        pool = pool("&reWriteBatchedInserts=true");
        try (var writes = inserts()) {
            assertThat(words(writes.call(List.of(payment(1, 2), payment(2, -1), payment(3, 2)))))
                    .containsExactly("Updated[count=1]", "failed refused", "Updated[count=1]");
        }
        assertThat(number("select count(*) from payment")).isEqualTo(2);
    }

    @Test
    void statementThatReturnsRowsRunsEachByItself() throws Exception {
        execute("insert into payment values (1, 7), (2, 8)");
        try (var writes = batch("delete from payment where id = :id returning amount")) {
            assertThat(words(writes.call(List.of(JdbcRequest.of("id", 1), JdbcRequest.of("id", 2)))))
                    .containsExactly("Rows[columns=[amount], rows=[[7]]]", "Rows[columns=[amount], rows=[[8]]]");
            assertThat(writes.settings())
                    .anyMatch(setting -> setting.name().equals("collapse.commit")
                            && setting.reason().contains("returns rows"));
        }
        assertThat(number("select count(*) from payment")).isZero();
    }

    @Test
    void rewrittenBatchBindsEveryTypeAndNull() throws Exception {
        pool.close();
        pool = pool("&reWriteBatchedInserts=true");
        execute(
                "create table wide(id uuid, at timestamptz, doc jsonb, price numeric(10,2), yes boolean, n int, t text)");
        try (var writes = batch(
                "insert into wide(id, at, doc, price, yes, n, t)" + " values (:id, :at, :doc, :price, :yes, :n, :t)")) {
            JdbcRequest all = JdbcRequest.of("id", "6b1c6b1e-0000-4000-8000-000000000001")
                    .with("at", "2026-11-22T04:00:00Z")
                    .with("doc", "{\"a\": [1]}")
                    .with("price", new BigDecimal("12.50"))
                    .with("yes", true)
                    .with("n", 7)
                    .with("t", "text");
            JdbcRequest none = JdbcRequest.of("id", null)
                    .with("at", null)
                    .with("doc", null)
                    .with("price", null)
                    .with("yes", null)
                    .with("n", null)
                    .with("t", null);
            JdbcRequest others = all.with("n", "8").with("price", 3).with("t", 9);

            assertThat(words(writes.call(List.of(none, all, others))))
                    .allSatisfy(word -> assertThat(word).startsWith("Updated"));
        }
        assertThat(number("select sum(n) from wide")).isEqualTo(15);
        assertThat(number("select count(*) from wide where t in ('text', '9') and doc->'a' = '[1]'"))
                .isEqualTo(2);
    }

    @Test
    void everyRequestGetsItsCountWhenATriggerSkipsRows() throws Exception {
        execute("create function no_even() returns trigger language plpgsql as $$"
                + " begin if new.id % 2 = 0 then return null; end if; return new; end $$");
        execute("create trigger odd before insert on payment for each row execute function no_even()");
        try (var writes = inserts()) {
            for (int first = 1; first < 8; first += 3) {
                String even = "Updated[count=0]";
                String odd = "Updated[count=1]";
                assertThat(words(writes.call(List.of(payment(first, 1), payment(first + 1, 1), payment(first + 2, 1)))))
                        .containsExactly(
                                first % 2 == 0 ? even : odd, first % 2 == 0 ? odd : even, first % 2 == 0 ? even : odd);
            }
        }
        assertThat(number("select count(*) from payment")).isEqualTo(5);
    }

    /** PostgreSQL ends the session between two statements, so the next one, a savepoint, gets the error. */
    @Test
    void connectionThatEndsBeforeTheCommitRefusesNothing() throws Exception {
        pool.close();
        pool = pool("&options=-c%20idle_in_transaction_session_timeout=20");
        AtomicInteger savepoints = new AtomicInteger();
        DataSource ending = Intercepted.dataSource(pool, (connection, method) -> {
            if (method.equals("setSavepoint") && savepoints.incrementAndGet() == 2) {
                awaitEnd(connection.unwrap(PGConnection.class).getBackendPID());
            }
        });
        try (JdbcBatch writes = JdbcBatch.over(JdbcTarget.on(ending)
                .statement("insert into payment(id, amount) values (:id, :amount)")
                .build())) {
            assertThat(words(writes.call(List.of(payment(1, 1), payment(2, -1), payment(3, 1), payment(4, 1)))))
                    .containsOnly("failed rolled_back");
        }
        assertThat(schema.number("select count(*) from payment")).isZero();
    }

    private void awaitEnd(int session) throws SQLException {
        while (schema.number("select count(*) from pg_stat_activity where pid = " + session) > 0) {
            Thread.onSpinWait();
        }
    }
}
