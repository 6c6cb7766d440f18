package dev.penstock.races.jdbcidle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * How long one caller and ten callers wait for the answer to a query when something breaks, at real times: a table with a
 * row for each fault. {@code -Dpenstock.faults=kill-20,forgotten} selects rows; all take about 12 minutes, and 20 more with
 * {@code kill-240}.
 */
@Tag("full-only")
class PoolFaultTableRealClockTest {
    private static final String QUICK = "forgotten,forgotten-40ms,stall-300ms,statement,rollback,commit,close,password";
    private static final Duration PATIENCE = Duration.ofSeconds(45);
    private static final int CALLERS = 10;

    /** A caller aborts its connection after that time, where a row says so. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    private final RealPostgres postgres = RealPostgres.start(Map.of("max_connections", "300"));

    /** A pool behind a path of its own, with a number of callers. */
    private record Subject(JdbcIdleContestants contestant, int callers, TcpSimulator path, Pool pool) {
        void close() {
            path.close();
            pool.close();
        }
    }

    private Subject subject(JdbcIdleContestants contestant, int callers, TcpSimulatorBuilder builder) throws Exception {
        TcpSimulator path = builder.start();
        String url = postgres.urlThrough(new InetSocketAddress("127.0.0.1", path.port()));
        return new Subject(contestant, callers, path, contestant.pool(url));
    }

    private interface Call {
        void on(DataSource source) throws SQLException;
    }

    private interface Event {
        void run() throws Exception;
    }

    @Test
    @Timeout(3600)
    void ours() throws Exception {
        Set<String> chosen = Set.of(System.getProperty("penstock.faults", QUICK).split(","));
        try (postgres) {
            idleKill("kill-20", 20, chosen);
            idleKill("kill-60", 60, chosen);
            idleKill("kill-240", 240, chosen);
            forgotten("forgotten", 0, chosen);
            forgotten("forgotten-40ms", 20, chosen);
            stall("stall-300ms", 300, chosen);
            stall("stall-6s", 6_000, chosen);
            silent("statement", connection -> connection.createStatement().execute("select 1"), chosen);
            silent("rollback", Connection::rollback, chosen);
            silent("commit", Connection::commit, chosen);
            silent("close", Connection::close, chosen);
            restart(chosen);
            password(chosen);
        }
        print();
        assertThat(rows).isNotEmpty();
        rows.forEach((row, cells) -> assertThat(cells.get("penstock")).as(row).isNotNull());
    }

    private void print() {
        List<String> names = JdbcIdleContestants.entries().stream()
                .map(entry -> entry.name())
                .toList();
        System.out.println("| worst ms of 1 / 10 callers | " + String.join(" | ", names) + " |");
        System.out.println("|---|" + "---|".repeat(names.size()));
        rows.forEach((row, cells) -> System.out.println("| " + row + " | "
                + names.stream().map(name -> cells.getOrDefault(name, "")).collect(Collectors.joining(" | ")) + " |"));
    }

    private TcpSimulatorBuilder path() {
        return TcpSimulator.to("127.0.0.1", postgres.port()).maxConnections(1_000);
    }

    private List<Subject> subjects(TcpSimulatorBuilder path) throws Exception {
        List<Subject> all = new ArrayList<>();
        for (JdbcIdleContestants contestant : JdbcIdleContestants.values()) {
            all.add(subject(contestant, 1, path));
            all.add(subject(contestant, CALLERS, path));
        }
        rest(1_000);
        for (Subject subject : all) {
            burst("", subject, PoolFaultTableRealClockTest::query); // opens its connections
            burst("", subject, PoolFaultTableRealClockTest::query);
        }
        return all;
    }

    private static void query(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select 1 from pg_sleep(0.005)");
        }
    }

    private static void rest(long millis) {
        long until = Ticker.SYSTEM.nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (until - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }

    /** Everybody calls at once; the worst time and the errors become a cell. */
    private void burst(String row, Subject subject, Call call) throws InterruptedException {
        Map<Integer, Long> times = new ConcurrentHashMap<>();
        AtomicInteger errors = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        long start = Ticker.SYSTEM.nanos();
        for (int i = 0; i < subject.callers; i++) {
            int caller = i;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    call.on(subject.pool.source());
                } catch (SQLException | RuntimeException failed) {
                    errors.incrementAndGet();
                }
                times.put(caller, (Ticker.SYSTEM.nanos() - start) / 1_000_000);
            }));
        }
        for (Thread thread : threads) {
            long left = PATIENCE.toNanos() - (Ticker.SYSTEM.nanos() - start);
            boolean _ = thread.join(Duration.ofNanos(Math.max(1, left)));
        }
        if (!row.isEmpty()) {
            String worst = times.size() < subject.callers
                    ? "hangs"
                    : String.valueOf(new TreeMap<>(times)
                            .values().stream().mapToLong(Long::longValue).max().orElse(0));
            String failures = errors.get() == 0 ? "" : " (" + errors.get() + " errors)";
            synchronized (rows) {
                rows.computeIfAbsent(row, _ -> new LinkedHashMap<>())
                        .merge(subject.contestant.entry().name(), worst + failures, (one, ten) -> one + " / " + ten);
            }
        }
    }

    private static void closeAll(List<Subject> subjects) {
        subjects.forEach(Subject::close);
    }

    private void idleKill(String row, int seconds, Set<String> chosen) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<Subject> all = subjects(path().killIdle(Duration.ofSeconds(seconds), IdleKill.BLACKHOLE));
        for (String time : List.of(" first", " learned", " learned again")) {
            rest((seconds + 15) * 1_000L);
            // A contestant that waits for long must not delay the others.
            inParallel(row + time, all);
        }
        closeAll(all);
    }

    private void inParallel(String row, List<Subject> all) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Subject subject : all) {
            Thread thread = Thread.ofVirtual().start(() -> {
                try {
                    burst(row, subject, PoolFaultTableRealClockTest::query);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(thread);
            boolean _ = thread.join(Duration.ofMillis(500));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void forgotten(String row, int delayMs, Set<String> chosen) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        TcpSimulatorBuilder path = path();
        List<Subject> all = subjects(delayMs == 0 ? path : path.delay(new Delay.Constant(Duration.ofMillis(delayMs))));
        for (String time : List.of(" first", " again")) {
            rest(10_000);
            all.forEach(subject -> subject.path.forgetAll());
            inParallel(row + time, all);
        }
        closeAll(all);
    }

    private void stall(String row, int millis, Set<String> chosen) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<Subject> all = subjects(path());
        for (Subject subject : all) {
            rest(1_000);
            postgres.suspend();
            Thread resume = Thread.ofVirtual().start(() -> {
                rest(millis);
                try {
                    postgres.resume();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            burst(row, subject, PoolFaultTableRealClockTest::query);
            resume.join();
        }
        closeAll(all);
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /** The path falls silent before a step; the caller aborts its connection at the deadline. */
    private void silent(String row, Step step, Set<String> chosen) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<Subject> all = subjects(path());
        for (Subject subject : all) {
            CountDown ready = new CountDown(subject.callers, () -> subject.path.inject(new TcpFault.Blackhole()));
            burst("silent " + row, subject, source -> {
                Connection connection = source.getConnection();
                Thread abort = Thread.ofVirtual().start(() -> {
                    rest(DEADLINE.toMillis());
                    if (!Thread.currentThread().isInterrupted()) {
                        try {
                            connection.abort(task -> Thread.ofVirtual().start(task));
                        } catch (SQLException ended) {
                            // It has ended.
                        }
                    }
                });
                try {
                    connection.setAutoCommit(false);
                    connection.createStatement().execute("select 1");
                    ready.arrive();
                    step.on(connection);
                    connection.close();
                } catch (SQLException late) {
                    connection.close();
                } finally {
                    abort.interrupt();
                }
            });
            subject.path.heal();
        }
        closeAll(all);
    }

    /** Runs an event when all have arrived, and lets them go on. */
    private static final class CountDown {
        private final CyclicBarrier barrier;

        CountDown(int parties, Event event) {
            barrier = new CyclicBarrier(parties, () -> {
                try {
                    event.run();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        void arrive() {
            try {
                barrier.await(30, TimeUnit.SECONDS);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void restart(Set<String> chosen) throws Exception {
        if (!chosen.contains("restart")) {
            return;
        }
        List<Subject> all = subjects(path());
        rest(2_000);
        postgres.restart();
        inParallel("after a restart", all);
        rest(2_000);
        postgres.kill();
        Thread back = Thread.ofVirtual().start(() -> {
            rest(1_000);
            try {
                postgres.restart();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        List<Thread> bursts = new ArrayList<>();
        for (Subject subject : all) {
            bursts.add(Thread.ofVirtual().start(() -> {
                try {
                    burst("while it is down for 1 s", subject, PoolFaultTableRealClockTest::query);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread burst : bursts) {
            burst.join();
        }
        back.join();
        closeAll(all);
    }

    private void password(Set<String> chosen) throws Exception {
        if (!chosen.contains("password")) {
            return;
        }
        try (Connection admin = postgres.connect();
                Statement statement = admin.createStatement()) {
            statement.execute("create role stranger login password 'secret'");
        }
        String url = postgres.urlThrough(new InetSocketAddress("127.0.0.1", postgres.port()))
                .replaceAll("/[^/?]*([?].*)?$", "/nowhere?user=stranger&password=wrong");
        for (JdbcIdleContestants contestant : JdbcIdleContestants.values()) {
            for (int callers : new int[] {1, CALLERS}) {
                long start = Ticker.SYSTEM.nanos();
                try {
                    Pool pool = contestant.pool(url);
                    Subject subject = new Subject(contestant, callers, path().start(), pool);
                    burst("wrong password", subject, PoolFaultTableRealClockTest::query);
                    subject.close();
                } catch (RuntimeException refused) { // HikariCP checks at its start
                    long took = (Ticker.SYSTEM.nanos() - start) / 1_000_000;
                    rows.computeIfAbsent("wrong password", _ -> new LinkedHashMap<>())
                            .merge(
                                    contestant.entry().name(),
                                    took + " (at the start)",
                                    (one, ten) -> one + " / " + ten);
                }
            }
        }
    }
}
