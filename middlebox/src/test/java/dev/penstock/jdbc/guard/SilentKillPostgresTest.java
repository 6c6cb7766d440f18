package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real PostgreSQL behind a middlebox that kills connections after 1.5 s of idleness. The test moves the clock of the
 * pool and of the middlebox; with {@code -Dpenstock.full=true} both use the system's.
 */
@Timeout(300)
@Tag("full")
class SilentKillPostgresTest {
    private static final boolean FULL = FullRun.ON;
    private static final Duration KILL = Duration.ofMillis(1500);
    private static final long STEP_MS = 100;

    /** The threads that wait for the clock: one of the middlebox and one of the pool. */
    private static final int WAITING_FOR_THE_CLOCK = 2;
    /** Other tests may have left busy sessions. */
    private static final String IDLE_SESSION =
            "pid <> pg_backend_pid() and state = 'idle' and application_name like 'PostgreSQL%'";

    private final ManualTicker manual = new ManualTicker();
    private final Ticker ticker = FULL ? Ticker.SYSTEM : manual;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void noCallerGetsADeadConnection(IdleKill how) throws Exception {
        try (TcpSimulator way = way(how);
                GuardedDataSource source = pool(way).build()) {
            for (int gap : new int[] {0, 700, 2200, 2200, 3000, 1000}) {
                rest(gap);
                assertThat(burst(source)).isEmpty();
            }
            assertThat(source.report().validations()).isPositive();
        }
    }

    @Test
    void learnsTheKillAgeInTheBackgroundAndRemembersIt() throws Exception {
        StateFile state = StateFile.at(folder.resolve("state"));
        try (TcpSimulator way = way(IdleKill.BLACKHOLE)) {
            try (GuardedDataSource source = pool(way).warm(4).state(state).build()) {
                assertThat(burst(source)).isEmpty();
                await(() -> !value(source, "pool.idle").equals("none seen"));
                assertThat(source.report().metByCallers()).isZero();
                assertThat(burst(source)).isEmpty();
            }
            try (GuardedDataSource again =
                    pool(way).state(StateFile.at(folder.resolve("state"))).build()) {
                assertThat(value(again, "pool.idle")).isNotEqualTo("none seen");
            }
        }
    }

    @Test
    void detectsTerminatedSessionsBeforeUse() throws Exception {
        try (GuardedDataSource source =
                GuardedDataSource.at(RealPostgres.shared().url()).max(5).build()) {
            assertThat(burst(source)).isEmpty();
            try (Connection other = RealPostgres.shared().connect();
                    Statement statement = other.createStatement();
                    ResultSet ended = statement.executeQuery(
                            "select pg_terminate_backend(pid) from pg_stat_activity where " + IDLE_SESSION)) {
                assertThat(ended.next()).isTrue();
            }
            awaitNoSession();
            assertThat(burst(source)).isEmpty();
        }
    }

    /** A terminated backend has notified its client before it leaves the list. */
    private static void awaitNoSession() throws SQLException {
        try (Connection other = RealPostgres.shared().connect();
                Statement statement = other.createStatement()) {
            long left = 1;
            while (left > 0) {
                try (ResultSet rows = statement.executeQuery(
                        "select count(*), pg_sleep(0.01) from pg_stat_activity where " + IDLE_SESSION)) {
                    rows.next();
                    left = rows.getLong(1);
                }
            }
        }
    }

    private GuardedDataSourceBuilder pool(TcpSimulator way) {
        return GuardedDataSource.at(url(way)).max(10).ticker(ticker);
    }

    private TcpSimulator way(IdleKill how) throws Exception {
        return TcpSimulator.to("127.0.0.1", RealPostgres.shared().address().getPort())
                .ticker(ticker)
                .killIdle(KILL, how)
                .start();
    }

    private static String url(TcpSimulator way) {
        int port = RealPostgres.shared().address().getPort();
        return RealPostgres.shared().url().replace(":" + port + "/", ":" + way.port() + "/");
    }

    private static String value(GuardedDataSource source, String setting) {
        return source.settings().stream()
                .filter(one -> one.name().equals(setting))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private static List<Throwable> burst(DataSource source) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(Thread.startVirtualThread(() -> {
                try (Connection connection = source.getConnection();
                        Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("select 1")) {
                    rows.next();
                } catch (SQLException | RuntimeException e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread caller : callers) {
            assertThat(caller.join(Duration.ofSeconds(60))).isTrue();
        }
        return List.copyOf(failures);
    }

    /** Lets time pass in steps; after each step, everything that was due has run. */
    private void rest(long millis) throws InterruptedException {
        if (FULL) {
            assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS))
                    .isFalse();
            return;
        }
        for (long left = millis; left > 0; left -= STEP_MS) {
            manual.advance(Duration.ofMillis(STEP_MS));
            manual.awaitParked(WAITING_FOR_THE_CLOCK);
        }
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 600 && !condition.getAsBoolean(); i++) {
            rest(STEP_MS);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
