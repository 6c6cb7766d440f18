package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.state.StateFile;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real PostgreSQL behind something that ends connections which lie idle for 1.5 s. */
@Timeout(60)
class SilentKillPostgresTest {
    private static final Duration KILL = Duration.ofMillis(1500);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void noCallerEverMeetsADeadConnection(IdleKill how) throws Exception {
        try (TcpSimulator way = way(how);
                GuardedDataSource source =
                        GuardedDataSource.at(url(way)).max(10).build()) {
            for (int gap : new int[] {0, 700, 2200, 2200, 3000, 1000}) {
                rest(gap);
                assertThat(burst(source)).isEmpty();
            }
            assertThat(source.report().looks()).isPositive();
        }
    }

    @Test
    void learnsWhatKillsInTheBackgroundAndKnowsItAfterARestart() throws Exception {
        StateFile state = StateFile.at(folder.resolve("state"));
        try (TcpSimulator way = way(IdleKill.BLACKHOLE)) {
            try (GuardedDataSource source =
                    GuardedDataSource.at(url(way)).max(10).warm(4).state(state).build()) {
                assertThat(burst(source)).isEmpty();
                await(() -> value(source, "pool.idle").startsWith("1.")
                        || value(source, "pool.idle").startsWith("2"));
                assertThat(source.report().metByCallers()).isZero();
                assertThat(burst(source)).isEmpty();
            }
            try (GuardedDataSource again = GuardedDataSource.at(url(way))
                    .max(10)
                    .state(StateFile.at(folder.resolve("state")))
                    .build()) {
                assertThat(value(again, "pool.idle")).isNotEqualTo("none seen");
            }
        }
    }

    @Test
    void aServerThatEndsItsSessionsIsSeenBeforeUse() throws Exception {
        try (GuardedDataSource source =
                GuardedDataSource.at(RealPostgres.shared().url()).max(5).build()) {
            assertThat(burst(source)).isEmpty();
            try (Connection other = RealPostgres.shared().connect();
                    Statement statement = other.createStatement();
                    ResultSet ended = statement.executeQuery(
                            "select pg_terminate_backend(pid) from pg_stat_activity"
                                    + " where pid <> pg_backend_pid() and state = 'idle' and application_name like 'PostgreSQL%'")) {
                assertThat(ended.next()).isTrue();
            }
            rest(100);
            assertThat(burst(source)).isEmpty();
        }
    }

    private static TcpSimulator way(IdleKill how) throws Exception {
        return TcpSimulator.to("127.0.0.1", RealPostgres.shared().address().getPort())
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
            assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
        }
        return List.copyOf(failures);
    }

    private static void rest(long millis) throws InterruptedException {
        assertThat(new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)).isFalse();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 300 && !condition.getAsBoolean(); i++) {
            rest(50);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
