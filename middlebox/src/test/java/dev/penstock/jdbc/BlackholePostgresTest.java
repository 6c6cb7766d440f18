package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blackholed connection: even the confirmation of a cancel does not arrive. */
@Timeout(300)
class BlackholePostgresTest {
    private static final Duration TIME = Duration.ofSeconds(3);
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final FreshSchema schema;
    private final ManualTicker ticker = new ManualTicker();
    private final TcpSimulator way;
    private final HikariDataSource pool = new HikariDataSource();

    BlackholePostgresTest() throws Exception {
        schema = RealPostgres.shared().schema();
        way = TcpSimulator.to("127.0.0.1", RealPostgres.shared().address().getPort())
                .ticker(ticker)
                .killIdle(IDLE, IdleKill.BLACKHOLE)
                .start();
        pool.setJdbcUrl(schema.urlThrough(new InetSocketAddress("127.0.0.1", way.port())));
        pool.setMaximumPoolSize(2);
        pool.setMinimumIdle(0);
        schema.execute("create table payment(id bigint, amount bigint)");
        schema.execute("insert into payment values (1, 1), (2, 1)");
    }

    @AfterEach
    void close() throws SQLException {
        pool.close();
        way.close();
        schema.close();
    }

    private JdbcTarget target(String sql, boolean reading) {
        return JdbcTarget.on(pool).statement(sql).reads(reading).build();
    }

    @Test
    void lateWriteIsUnknownAndLateQueryIsUndone() throws Exception {
        try (var write = target("select pg_sleep(600)", false);
                var read = target("select pg_sleep(600)", true);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Unanswered> written = callers.submit(() -> ending(write));
            Future<Unanswered> seen = callers.submit(() -> ending(read));
            nothingComesThroughOnce("select count(*) from pg_stat_activity where query = 'select pg_sleep(600)'", 2);
            assertThat(written.get().why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(seen.get().why()).isEqualTo(Failed.Cause.UNDONE);
        }
    }

    private static Unanswered ending(JdbcTarget target) {
        return JdbcTargetContract.endingWithin(TIME, target, JdbcRequest.empty());
    }

    /** Makes the path forget its connections when a query returns the given number. */
    private void nothingComesThroughOnce(String sql, long is) throws SQLException {
        await(sql, is);
        ticker.advance(IDLE);
    }

    private void await(String sql, long is) throws SQLException {
        while (schema.number(sql) != is) {
            LockSupport.parkNanos(5_000_000);
        }
    }

    /** The driver waits two minutes for an answer to its cancel request, far longer than a caller may. */
    @Test
    void callReturnsInTimeWhenCancelRequestGetsNoAnswer() throws Exception {
        pool.setJdbcUrl(pool.getJdbcUrl() + "&cancelSignalTimeout=120");
        try (var write = target("select pg_sleep(600)", false);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Unanswered> written = callers.submit(() -> ending(write));
            await("select count(*) from pg_stat_activity where query = 'select pg_sleep(600)'", 1);
            way.inject(new TcpFault.Blackhole());
            assertThat(written.get(60, TimeUnit.SECONDS).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        }
        // The cancel request never reached the server, so the statement is ended here.
        schema.number(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where query = 'select pg_sleep(600)'");
    }

    @Test
    void batchWithoutCommitIsUndone() throws Exception {
        try (Connection other = schema.connect();
                var changes = JdbcBatch.over(target("update payment set amount = :n where id = :id", false));
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            other.createStatement().execute("update payment set amount = 3");
            List<JdbcRequest> requests = List.of(
                    JdbcRequest.of("id", 1).with("n", 2),
                    JdbcRequest.of("id", 2).with("n", 2));
            var endings = callers.submit(() -> Deadline.in(TIME).call(() -> changes.call(requests)));
            nothingComesThroughOnce("select count(*) from pg_locks where not granted", 1);
            assertThat(JdbcBatchContract.words(endings.get())).containsOnly("failed undone");
        }
        assertThat(schema.number("select sum(amount) from payment")).isEqualTo(2);
    }
}
