package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.StateFile;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL behind a path that silently forgets connections, or everything. Without the guard each test hangs. */
@Timeout(120)
class LostPathPostgresTest {
    private static final int CALLERS = 10;

    private final FreshSchema schema;
    private final TcpSimulator path;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    @TempDir
    private Path folder;

    LostPathPostgresTest() throws Exception {
        schema = RealPostgres.shared().schema();
        schema.execute("create table payment(id bigint)");
        path = TcpSimulator.to("127.0.0.1", RealPostgres.shared().address().getPort())
                .start();
    }

    @AfterEach
    void close() throws SQLException {
        threads.close();
        path.close();
        schema.close();
    }

    private GuardedDataSourceBuilder pool() {
        return GuardedDataSource.at(schema.urlThrough(new InetSocketAddress("127.0.0.1", path.port())))
                .max(CALLERS);
    }

    /** Everybody holds a connection at the same time. */
    private static void fill(GuardedDataSource source) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            all.add(source.getConnection());
        }
        for (Connection one : all) {
            one.close();
        }
    }

    private static int ask(GuardedDataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("select 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private List<Future<Integer>> burst(Callable<Integer> call) {
        List<Future<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            answers.add(threads.submit(call));
        }
        return answers;
    }

    private static void awaitIdle() {
        LockSupport.parkNanos(600_000_000); // real time: the clock of the pool
    }

    @Test
    void everyCallerIsServedAfterAllConnectionsAreForgotten() throws Exception {
        try (GuardedDataSource source = pool().build()) {
            fill(source);
            for (int i = 0; i < 3; i++) {
                awaitIdle();
                path.forgetAll();
                for (Future<Integer> answer : burst(() -> ask(source))) {
                    assertThat(answer.get()).isEqualTo(1);
                }
            }
            assertThat(source.report().leased()).isZero();
            assertThat(source.settings())
                    .filteredOn(setting -> setting.name().equals("pool.idle"))
                    .singleElement()
                    .satisfies(idle -> assertThat(idle.value()).isEqualTo("none seen"));
        }
    }

    @Test
    void everyCallerEndsInTimeWhenNothingComesThrough() throws Exception {
        try (GuardedDataSource source = pool().build()) {
            fill(source);
            awaitIdle();
            path.inject(new TcpFault.Blackhole());
            for (Future<Integer> answer : burst(() -> {
                try (Connection connection = source.getConnection(Duration.ofSeconds(1))) {
                    return connection.hashCode();
                }
            })) {
                assertThatThrownBy(answer::get).hasCauseInstanceOf(SQLTransientConnectionException.class);
            }
            path.heal();
            assertThat(ask(source)).isEqualTo(1);
            assertThat(source.report().leased()).isZero();
        }
    }

    /** All connections end at one moment, while the database is up: no idle timeout, whatever their age is. */
    @Test
    void massKillIsNotLearned() throws Exception {
        ManualTicker ticker = new ManualTicker();
        Path state = folder.resolve("state");
        try (GuardedDataSource source =
                pool().state(StateFile.at(state)).ticker(ticker).build()) {
            fill(source);
            ticker.advance(Duration.ofMillis(400));
            schema.number("select count(pg_terminate_backend(pid)) from pg_stat_activity where state = 'idle'"
                    + " and pid <> pg_backend_pid() and query not like '%pg_stat_activity%'"
                    + " and application_name like 'PostgreSQL%'");
            burst(() -> ask(source)).forEach(answer -> quietly(answer::get));
            for (int i = 0; i < 200; i++) {
                ticker.advance(Duration.ofMillis(100));
                LockSupport.parkNanos(2_000_000);
            }
            assertThat(ask(source)).isEqualTo(1);
            assertThat(source.settings())
                    .filteredOn(setting -> setting.name().equals("pool.idle"))
                    .singleElement()
                    .satisfies(idle -> {
                        assertThat(idle.value()).isEqualTo("none seen");
                        assertThat(idle.reason()).startsWith("no idle timeout seen");
                    });
        }
        assertThat(state).doesNotExist();
    }

    private static void quietly(ThrowingCallable call) {
        try {
            call.call();
        } catch (Throwable ended) {
            // A statement may have been sent before the end of its connection was visible.
        }
    }

    @Test
    void wrongPasswordEndsAtOnceWithTheDatabasesError() throws Exception {
        schema.execute("create role stranger login password 'secret'");
        try (GuardedDataSource source = GuardedDataSource.at("jdbc:postgresql://127.0.0.1:" + path.port() + "/nowhere")
                .user("stranger")
                .password("wrong")
                .borrowTimeout(Duration.ofHours(1))
                .build()) {
            assertThatThrownBy(source::getConnection)
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            error -> assertThat(error.getSQLState()).matches("28...|3D000"));
        } finally {
            schema.execute("drop role stranger");
        }
    }

    /** An abort ends a call that waits inside the driver, whatever it does there. */
    @Test
    void abortEndsAStatementARollbackACommitAndAClose() throws Exception {
        try (GuardedDataSource source = pool().autoCommit(false).build()) {
            for (Step step : List.<Step>of(
                    connection -> connection.createStatement().execute("select pg_sleep(0)"),
                    Connection::rollback,
                    Connection::commit,
                    Connection::close)) {
                Connection connection = source.getConnection();
                connection.createStatement().execute("insert into payment values (1)");
                path.forgetAll();
                Future<?> hanging = threads.submit(() -> {
                    step.on(connection);
                    return null;
                });
                assertThatThrownBy(() -> hanging.get(200, TimeUnit.MILLISECONDS))
                        .isNotNull();
                connection.abort(Runnable::run);
                quietly(hanging::get);
                assertThat(hanging.isDone()).isTrue();
                quietly(connection::close);
                assertThat(source.report().leased()).isZero();
            }
        }
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    @Test
    void lateCallsEndAtTheirDeadline() throws Exception {
        try (GuardedDataSource source = pool().build();
                JdbcTarget target = JdbcTarget.on(source)
                        .statement("insert into payment(id) select :id from pg_sleep(3600)")
                        .build()) {
            Future<Unanswered> ending = threads.submit(() -> {
                try {
                    return Deadline.in(Duration.ofSeconds(2)).call(() -> {
                        target.call(JdbcRequest.of("id", 1));
                        throw new AssertionError("answered");
                    });
                } catch (Unanswered why) {
                    return why;
                }
            });
            while (schema.number("select count(*) from pg_stat_activity where query like '%pg_sleep(3600)%'"
                            + " and pid <> pg_backend_pid()")
                    == 0) {
                LockSupport.parkNanos(5_000_000);
            }
            path.inject(new TcpFault.Blackhole());
            assertThat(ending.get().why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(source.report().leased()).isZero();
            path.heal();
        }
        schema.number(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where query like '%pg_sleep(3600)%'"
                        + " and pid <> pg_backend_pid()");
    }

    @Test
    void refusedConnectIsRetriedUntilTheTimeIsUp() throws Exception {
        path.inject(new TcpFault.Refuse());
        try (GuardedDataSource source = pool().build();
                JdbcTarget target = JdbcTarget.on(source)
                        .statement("insert into payment(id) values (:id)")
                        .build()) {
            assertThatThrownBy(
                            () -> Deadline.in(Duration.ofMillis(500)).call(() -> target.call(JdbcRequest.of("id", 1))))
                    .isInstanceOfSatisfying(
                            Failed.class, why -> assertThat(why.why()).isEqualTo(Failed.Cause.CONNECT));
            path.heal();
            assertThat(ask(source)).isEqualTo(1);
        }
    }
}
