package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.jdbc.kit.RealDatabase;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.postgresql.PGConnection;

/**
 * Callers of a pool of ten, and of a flow over it, while the path drops idle connections and, at random, forgets all,
 * falls silent, resets, or leads to another server, and the database stalls, ends its sessions or restarts. No connection
 * has two callers, none stays leased, no socket stays open, and the flow drains in time, at last on a silent path.
 */
@Tag("full")
@Tag("full-only")
@Timeout(3600)
@EnabledOnOs(OS.LINUX) // sockets are read from /proc
class GuardSoakRealClockTest {
    /** The whole soak: -Dpenstock.soak.seconds=600. */
    private static final int SECONDS = Integer.getInteger("penstock.soak.seconds", 15);

    private static final int MAX = 10;

    /** The deadline, the grace of a cancel, and time for a busy machine. */
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final long seed = Long.getLong("penstock.soak.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void postgres() throws Exception {
        soak(() -> RealPostgres.start(Map.of("fsync", "off")), PGConnection.class);
    }

    @Test
    @NeedsProgram("mariadbd")
    void mariaDb() throws Exception {
        soak(MariaDb::start, org.mariadb.jdbc.Connection.class);
    }

    private void soak(Supplier<RealDatabase> server, Class<?> driver) throws Exception {
        try (RealDatabase first = server.get();
                RealDatabase second = server.get()) {
            createTable(first);
            createTable(second);
            long socketsBefore = sockets();
            try (RandomFaults faults = new RandomFaults(first, second, random);
                    GuardedDataSource source =
                            GuardedDataSource.at(faults.url()).max(MAX).build();
                    JdbcTarget target = JdbcTarget.on(source)
                            .statement("insert into soak(id) values (:id)")
                            .build();
                    SoakCallers callers = new SoakCallers(source, driver, first.sleeping(0.01))) {
                Flow<JdbcRequest, JdbcAnswer> flow = Flow.named("soak")
                        .deadline(SoakCallers.DEADLINE)
                        .concurrency(3)
                        .to(JdbcBatch.over(target).collapse());
                callers.startOfPool(15, random);
                callers.startOfFlow(5, flow, random);
                long end = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(SECONDS);
                while (end - Ticker.SYSTEM.nanos() > 0) {
                    faults.next();
                }
                drainOnASilentPath(flow, faults, callers);
                check(source, flow, callers);
            }
            awaitSockets(socketsBefore);
        }
    }

    private static void createTable(RealDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table soak(id bigint primary key)");
        }
    }

    private void drainOnASilentPath(Flow<?, ?> flow, RandomFaults faults, SoakCallers callers) throws Exception {
        faults.silence();
        RandomFaults.rest(1_000);
        callers.end();
        long start = Ticker.SYSTEM.nanos();
        Accounting account = flow.drain(DRAIN);
        System.out.printf("drained in %d ms%n", (Ticker.SYSTEM.nanos() - start) / 1_000_000);
        assertThat(account.isSettled())
                .as("%s, seed %d", account.sentence(), seed)
                .isTrue();
        assertThat(callers.await(DRAIN)).as("callers end, seed " + seed).isTrue();
        faults.heal();
    }

    private void check(GuardedDataSource source, Flow<?, ?> flow, SoakCallers callers) throws SQLException {
        System.out.printf(
                "soak of %d s, seed %d: %s; flow: %s; %s%n",
                SECONDS, seed, callers, flow.accounting().sentence(), source.report());
        assertThat(callers.wrong()).as("seed " + seed).isEmpty();
        assertThat(source.report().leased()).as("leases, seed " + seed).isZero();
        assertThat(source.report().idle()).isLessThanOrEqualTo(MAX);
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(10)).isTrue();
        }
        assertThat(callers.answered()).isPositive();
        assertThat(flow.accounting().answered()).isPositive();
    }

    /** Connections may be closed in order, which takes up to 2 s. */
    private static void awaitSockets(long atMost) throws IOException {
        long end = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(60);
        while (sockets() > atMost && end - Ticker.SYSTEM.nanos() > 0) {
            RandomFaults.rest(100);
        }
        assertThat(sockets()).as("open sockets").isLessThanOrEqualTo(atMost);
    }

    private static long sockets() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(GuardSoakRealClockTest::isSocket).count();
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closed) {
            return false;
        }
    }
}
