package dev.penstock.races.jdbcidle;

import static dev.penstock.races.jdbcidle.PoolFaultTable.rest;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealDatabase;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.races.jdbcidle.PoolFaultTable.Fault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * The faults of the table.
 *
 * @param chosen the names of those to run
 * @param server starts another database server of the same kind
 */
record PoolFaults(PoolFaultTable table, Set<String> chosen, Supplier<RealDatabase> server) {
    /** A caller aborts its connection after that time, where a row says so. */
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** A fault of a path concerns one subject, what the database suffers concerns all. */
    void run() throws Exception {
        try (Connection connection = table.database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create table written(id int)");
        }
        List<Future<?>> sideBySide = List.of(
                table.start(() -> idleKill("kill-20", 20)),
                table.start(() -> idleKill("kill-60", 60)),
                table.start(() -> idleKill("kill-240", 240)),
                table.start(() -> {
                    forgotten("forgotten", Duration.ZERO);
                    forgotten("forgotten-40ms", Duration.ofMillis(20));
                }),
                table.start(() -> {
                    silent("statement", connection -> write(connection, 2));
                    silent("rollback", Connection::rollback);
                    silent("commit", Connection::commit);
                    silent("close", Connection::close);
                    failover();
                    password();
                }));
        for (Future<?> rows : sideBySide) {
            rows.get();
        }
        stall("stall-300ms", 300);
        stall("stall-6s", 6_000);
        restart();
    }

    private static void write(Connection connection, int id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into written values (" + id + ")");
        }
    }

    private void idleKill(String row, int seconds) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<PoolSubject> all =
                table.subjects(() -> table.path().killIdle(Duration.ofSeconds(seconds), IdleKill.BLACKHOLE));
        for (String time : List.of(" first", " learned", " learned again")) {
            rest(Duration.ofSeconds(seconds + 15));
            table.print(row + time, table.cells(all, _ -> table.turn(), table::query));
        }
        all.forEach(PoolSubject::close);
    }

    private void forgotten(String row, Duration delay) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<PoolSubject> all = table.subjects(() -> table.path().delay(new Delay.Constant(delay)));
        for (String time : List.of(" first", " again")) {
            rest(Duration.ofSeconds(10));
            Fault loss = subject -> {
                table.turn();
                subject.path.forgetAll();
            };
            table.print(row + time, table.cells(all, loss, table::query));
        }
        all.forEach(PoolSubject::close);
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    /** The path falls silent before a step; the caller aborts its connection at the deadline. */
    private void silent(String row, Step step) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<PoolSubject> all = table.subjects(table::path);
        table.print("silent " + row, table.cells(all, _ -> table.turn(), subject -> {
            Connection connection = subject.pool.source().getConnection();
            Thread abort = Thread.ofVirtual().start(() -> abortAtDeadline(connection));
            try {
                connection.setAutoCommit(false);
                write(connection, 1);
                subject.silence();
                step.on(connection);
                connection.close();
            } catch (SQLException late) {
                connection.close();
            } finally {
                abort.interrupt();
            }
        }));
        all.forEach(PoolSubject::close);
    }

    private static void abortAtDeadline(Connection connection) {
        rest(DEADLINE);
        if (!Thread.currentThread().isInterrupted()) {
            try {
                connection.abort(task -> Thread.ofVirtual().start(task));
            } catch (SQLException ended) {
                // It has ended.
            }
        }
    }

    /** The path closes all connections, refuses new ones for 2 s, and then leads to another server. */
    private void failover() throws Exception {
        if (!chosen.contains("failover")) {
            return;
        }
        Queue<TcpSimulator> others = new ConcurrentLinkedQueue<>();
        try (RealDatabase other = server.get()) {
            List<PoolSubject> all = table.subjects(() -> table.path().port(StablePort.free()));
            rest(DEADLINE);
            table.print(
                    "failover after 2 s",
                    table.cells(
                            all,
                            subject -> {
                                table.turn();
                                subject.path.close();
                                table.start(() -> {
                                    rest(Duration.ofSeconds(2));
                                    others.add(TcpSimulator.to("127.0.0.1", other.port())
                                            .port(subject.path.port())
                                            .start());
                                });
                            },
                            table::query));
            all.forEach(PoolSubject::close);
            others.forEach(TcpSimulator::close);
        }
    }

    private void password() throws Exception {
        if (!chosen.contains("password")) {
            return;
        }
        List<Future<String>> cells = new ArrayList<>();
        for (JdbcIdleContestants contestant : JdbcIdleContestants.values()) {
            for (int callers : new int[] {1, PoolFaultTable.CALLERS}) {
                table.turn();
                cells.add(table.later(() -> refused(contestant, callers)));
            }
        }
        table.print("wrong password", PoolFaultTable.values(cells));
    }

    private String refused(JdbcIdleContestants contestant, int callers) throws Exception {
        long start = Ticker.SYSTEM.nanos();
        String url = table.url(table.database.port())
                .replaceAll("/[^/?]*([?].*)?$", "/nowhere?user=stranger&password=wrong");
        try (PoolSubject subject =
                new PoolSubject(contestant, callers, table.path().start(), contestant.pool(url))) {
            return subject.burst(table::query);
        } catch (RuntimeException refused) { // HikariCP checks at its start
            return (Ticker.SYSTEM.nanos() - start) / 1_000_000 + " (at the start)";
        }
    }

    /** A short stall meets one subject after the other, a long one all of them at once. */
    private void stall(String row, int millis) throws Exception {
        if (!chosen.contains(row)) {
            return;
        }
        List<PoolSubject> all = table.subjects(table::path);
        List<String> cells = new ArrayList<>();
        for (List<PoolSubject> some :
                millis < 1_000 ? all.stream().map(List::of).toList() : List.of(all)) {
            rest(Duration.ofSeconds(1));
            table.database.suspend();
            Future<?> resume = table.start(() -> {
                rest(Duration.ofMillis(millis));
                table.database.resume();
            });
            cells.addAll(table.cells(some, _ -> {}, table::query));
            resume.get();
        }
        table.print(row, cells);
        all.forEach(PoolSubject::close);
    }

    private void restart() throws Exception {
        if (!chosen.contains("restart")) {
            return;
        }
        List<PoolSubject> all = table.subjects(table::path);
        rest(DEADLINE);
        table.database.restart();
        table.print("after a restart", table.cells(all, _ -> table.turn(), table::query));
        rest(DEADLINE);
        table.database.kill();
        Future<?> back = table.start(() -> {
            rest(Duration.ofSeconds(1));
            table.database.restart();
        });
        table.print("while it is down for 1 s", table.cells(all, _ -> {}, table::query));
        back.get();
        all.forEach(PoolSubject::close);
    }
}
