package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.File;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;

/**
 * Twenty callers on ten connections, while the path forgets everything, falls silent or resets, and the database stalls,
 * loses its sessions or restarts, at random. No connection has two callers, none is leaked, the pool recovers.
 */
@Tag("full-only")
class GuardSoakPostgresTest {
    private static final int SECONDS = Integer.getInteger("penstock.soak.seconds", 30);
    private static final int CALLERS = 20;
    private static final int MAX = 10;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final Set<PGConnection> inUse = ConcurrentHashMap.newKeySet();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private volatile boolean over;

    @Test
    @Timeout(3600)
    void survivesRandomFaults() throws Exception {
        int filesBefore = openFiles();
        long seed = Long.getLong("penstock.soak.seed", System.nanoTime());
        try (RealPostgres postgres = RealPostgres.start(Map.of("fsync", "off"));
                TcpSimulator path = TcpSimulator.to("127.0.0.1", postgres.port())
                        .maxConnections(5_000)
                        .start();
                GuardedDataSource source = GuardedDataSource.at(
                                postgres.urlThrough(new InetSocketAddress("127.0.0.1", path.port())))
                        .max(MAX)
                        .autoCommit(false)
                        .build()) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                Random own = new Random(seed + i);
                callers.add(Thread.ofVirtual().start(() -> call(source, own)));
            }
            Random random = new Random(seed);
            long end = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (end - Ticker.SYSTEM.nanos() > 0) {
                rest(500 + random.nextInt(3000));
                breakSomething(random.nextInt(8), path, postgres);
            }
            path.heal();
            over = true;
            for (Thread caller : callers) {
                assertThat(caller.join(Duration.ofMinutes(2)))
                        .as("a caller hangs, seed " + seed)
                        .isTrue();
            }
            try (Connection connection = source.getConnection()) {
                assertThat(connection.isValid(10)).isTrue();
            }
            System.out.printf(
                    "soak %d s, seed %d: answered %d, failed %d, %s%n",
                    SECONDS, seed, answered.get(), failed.get(), source.report());
            assertThat(wrong).as("seed " + seed).isEmpty();
            assertThat(source.report().leased()).isZero();
            assertThat(source.report().idle()).isLessThanOrEqualTo(MAX);
            assertThat(answered.get()).isPositive();
            long start = Ticker.SYSTEM.nanos();
            source.close();
            path.close(); // which keeps the forgotten connections
            System.out.printf(
                    "closed in %d ms, files open %d, at the start %d%n",
                    (Ticker.SYSTEM.nanos() - start) / 1_000_000, openFiles(), filesBefore);
        }
        timer.shutdownNow();
    }

    private static void rest(long millis) {
        long until = Ticker.SYSTEM.nanos() + millis * 1_000_000;
        while (until - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }

    private static void breakSomething(int what, TcpSimulator path, RealPostgres postgres) throws Exception {
        switch (what) {
            case 0, 1 -> path.forgetAll();
            case 2 -> path.closeAll(Closing.RST);
            case 3 -> {
                path.inject(new TcpFault.Blackhole());
                rest(2_000);
                path.heal();
            }
            case 4, 5 -> {
                postgres.suspend();
                rest(what == 4 ? 300 : 3_000);
                postgres.resume();
            }
            case 6 -> {
                try (Connection admin = postgres.connect();
                        Statement statement = admin.createStatement()) {
                    statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                            + " where pid <> pg_backend_pid() and state = 'idle'");
                }
            }
            default -> {
                postgres.kill();
                postgres.restart();
            }
        }
    }

    private void call(GuardedDataSource source, Random random) {
        while (!over) {
            try {
                use(source, random);
                answered.incrementAndGet();
            } catch (SQLException expected) {
                failed.incrementAndGet();
            } catch (RuntimeException | LinkageError unexpected) {
                wrong.add(unexpected.toString());
            }
            rest(random.nextInt(random.nextInt(20) == 0 ? 1_500 : 30));
        }
    }

    /** One transaction, aborted at its deadline as a flow does, ended by a commit, a rollback, or only by the close. */
    private void use(GuardedDataSource source, Random random) throws SQLException {
        Connection connection = source.getConnection(DEADLINE);
        ScheduledFuture<?> deadline = timer.schedule(
                () -> Thread.ofVirtual().start(() -> abort(connection)), DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        try (connection) {
            PGConnection driver = connection.unwrap(PGConnection.class);
            if (!inUse.add(driver)) {
                wrong.add("a connection has two callers");
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_sleep(" + random.nextInt(20) / 1000.0 + ")");
                if (random.nextInt(3) == 0) {
                    connection.commit();
                } else if (random.nextBoolean()) {
                    connection.rollback();
                }
            } finally {
                inUse.remove(driver);
            }
        } finally {
            deadline.cancel(false);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException ended) {
            // It has ended.
        }
    }

    private static int openFiles() {
        String[] files = new File("/proc/self/fd").list();
        return files == null ? 0 : files.length;
    }
}
