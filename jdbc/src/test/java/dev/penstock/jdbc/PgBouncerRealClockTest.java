package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Answered;
import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.jdbc.postgres.PostgresDriver;
import dev.penstock.kit.program.NeedsProgram;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every answered insert has its row, whatever a pooler in front of PostgreSQL does with prepared statements. */
@Timeout(300)
@NeedsProgram("pgbouncer")
class PgBouncerRealClockTest {
    private final FreshSchema schema;
    private final String table;

    PgBouncerRealClockTest() throws SQLException {
        schema = RealPostgres.shared().schema();
        table = schema.name() + ".payment";
        schema.execute("create table payment(id bigint, amount int)");
    }

    @AfterEach
    void drop() throws SQLException {
        schema.close();
    }

    @ParameterizedTest
    @CsvSource({"session, true", "session, false", "transaction, true", "transaction, false", "statement, false"})
    void everyAnsweredInsertHasItsRow(String mode, boolean collapse) throws Exception {
        int size = mode.equals("transaction") ? 4_000 : 1_000;
        try (PgBouncer bouncer = bouncer(mode);
                JdbcTarget target = target(guarded(bouncer))) {
            Inserts inserts = new Inserts(flow(target, collapse), 100, size);
            inserts.run(() -> {});

            Inserts.Audit audit = inserts.audit(ids());
            assertThat(audit.isClean()).as("%s", audit).isTrue();
            assertThat(audit.answered()).as("%s", audit).isEqualTo(size);
            assertThat(target.settings())
                    .filteredOn(setting -> setting.name().equals("pool.server_statements"))
                    .singleElement()
                    .satisfies(setting -> assertThat(setting.value()).isEqualTo("off"))
                    .satisfies(setting -> assertThat(setting.reason()).contains("a connection pooler is in front"));
        }
    }

    @Test
    void killedPoolerLosesNoAnsweredInsert() throws Exception {
        try (PgBouncer bouncer = bouncer("transaction");
                JdbcTarget target = target(guarded(bouncer))) {
            Inserts inserts = new Inserts(flow(target, true), 50, 2_000);
            inserts.run(() -> {
                bouncer.kill();
                bouncer.start();
            });

            Inserts.Audit audit = inserts.audit(ids());
            assertThat(audit.isClean()).as("%s", audit).isTrue();
            assertThat(audit.answered()).as("%s", audit).isPositive();
        }
    }

    @Test
    void runsEveryRequestAloneInStatementMode() throws Exception {
        try (PgBouncer bouncer = bouncer("statement");
                JdbcTarget target = target(guarded(bouncer));
                JdbcBatch batch = JdbcBatch.over(target)) {
            List<JdbcRequest> two = List.of(payment(1), payment(2));
            assertThat(batch.call(two).get(0))
                    .isInstanceOfSatisfying(
                            Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.ROLLED_BACK));
            assertThat(ids()).isEmpty();

            assertThat(batch.call(two).get(1)).isInstanceOf(Answered.class);
            assertThat(ids()).containsExactlyInAnyOrder(1L, 2L);
            assertThat(batch.settings()).anyMatch(setting -> setting.name().equals("collapse.commit"));
        }
    }

    @Test
    void detectsThePoolerBehindAnyDataSource() throws Exception {
        try (PgBouncer bouncer = bouncer("transaction");
                HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(RealPostgres.shared().urlThrough(bouncer.address()));
            try (JdbcTarget target = target(pool)) {
                target.call(payment(1));
                assertThat(target.settings())
                        .anyMatch(setting -> setting.value().equals("off"));
            }
        }
    }

    @Test
    void serverStatementsStayOnWithoutAPooler() throws Exception {
        try (GuardedDataSource direct =
                        GuardedDataSource.at(RealPostgres.shared().url()).build();
                JdbcTarget target = target(direct)) {
            target.call(payment(1));
            assertThat(target.settings())
                    .filteredOn(setting -> setting.name().equals("pool.server_statements"))
                    .singleElement()
                    .satisfies(setting -> assertThat(setting.value()).isEqualTo("on"));
        }
    }

    @Test
    void detectsThatCommitWasARollback() throws Exception {
        try (Connection connection = schema.connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("insert into payment values (1, 1)");
            assertThatThrownBy(() -> statement.execute("select 1 / 0")).isInstanceOf(SQLException.class);

            assertThatThrownBy(() -> PostgresDriver.commit(connection)).hasMessageContaining("with ROLLBACK");
            assertThatThrownBy(() -> PostgresDriver.commit(connection))
                    .hasMessageContaining("no open transaction to commit");
        }
        assertThat(ids()).isEmpty();
    }

    @Test
    void neverLendsAConnectionClosedByThePooler() throws Exception {
        try (PgBouncer bouncer = PgBouncer.before(
                        RealPostgres.shared().address(), "transaction", Map.of("client_idle_timeout", "1"));
                GuardedDataSource source = guarded(bouncer);
                JdbcTarget target = target(source)) {
            target.call(payment(1));
            long until = Ticker.SYSTEM.nanos() + Duration.ofSeconds(60).toNanos();
            while (source.report().foundIdle() == 0 && source.report().metByCallers() == 0) {
                assertThat(Ticker.SYSTEM.nanos()).isLessThan(until);
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + 300_000_000);
                target.call(payment(2));
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + 1_500_000_000);
            }
            assertThat(target.call(payment(3))).isEqualTo(new JdbcAnswer.Updated(1));
        }
    }

    private static PgBouncer bouncer(String mode) {
        return PgBouncer.before(RealPostgres.shared().address(), mode, Map.of("server_idle_timeout", "1"));
    }

    private static GuardedDataSource guarded(PgBouncer bouncer) {
        return GuardedDataSource.at(RealPostgres.shared().urlThrough(bouncer.address()))
                .build();
    }

    private JdbcTarget target(DataSource source) {
        return JdbcTarget.on(source)
                .statement("insert into " + table + "(id, amount) values (:id, :amount)")
                .closesDataSource()
                .build();
    }

    private static Flow<JdbcRequest, JdbcAnswer> flow(JdbcTarget target, boolean collapse) {
        FlowBuilder<Object> builder = Flow.named("payments").deadline(Duration.ofSeconds(20));
        return collapse ? builder.to(JdbcBatch.over(target).collapse()) : builder.to(target);
    }

    private static JdbcRequest payment(long id) {
        return JdbcRequest.of("id", id).with("amount", 1);
    }

    private List<Long> ids() throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = schema.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id from payment")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
