package dev.penstock.races.jdbcidle;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.RealDatabase;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import dev.penstock.races.jdbcidle.PoolSubject.Call;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A table with the waits of one caller and of many of each contestant, at one database. A row is printed when it is known. */
final class PoolFaultTable implements AutoCloseable {
    static final int CALLERS = 10;
    private static final long APART = TimeUnit.MILLISECONDS.toNanos(500);

    final RealDatabase database;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> ours = new ConcurrentLinkedQueue<>();
    private long nextTurn = Ticker.SYSTEM.nanos();

    PoolFaultTable(RealDatabase database) {
        this.database = database;
        System.out.println(JdbcIdleContestants.entries().stream()
                        .map(entry -> " | " + entry.name())
                        .collect(Collectors.joining("", "| worst ms of 1 / " + CALLERS + " callers", " |\n|---|"))
                + "---|".repeat(JdbcIdleContestants.values().length));
    }

    /** Something that breaks, before the callers of a subject come. */
    @FunctionalInterface
    interface Fault {
        void before(PoolSubject subject) throws Exception;
    }

    /** A part of the table. */
    @FunctionalInterface
    interface Rows {
        void print() throws Exception;
    }

    /** Starts something beside the rest. */
    Future<?> start(Rows rows) {
        return threads.submit(() -> {
            rows.print();
            return null;
        });
    }

    /** Bursts start half a second apart, since they share the machine. */
    void turn() {
        long mine;
        synchronized (this) {
            long now = Ticker.SYSTEM.nanos();
            mine = nextTurn - now > 0 ? nextTurn : now;
            nextTurn = mine + APART;
        }
        restUntil(mine);
    }

    static void rest(Duration time) {
        restUntil(Ticker.SYSTEM.nanos() + time.toNanos());
    }

    private static void restUntil(long nanos) {
        while (nanos - Ticker.SYSTEM.nanos() > 0 && !Thread.currentThread().isInterrupted()) {
            Ticker.SYSTEM.parkUntil(nanos);
        }
    }

    /** Each subject in turn has its fault and then its callers; they wait side by side. */
    List<String> cells(List<PoolSubject> subjects, Fault fault, Call call) throws Exception {
        List<Future<String>> cells = new ArrayList<>();
        for (PoolSubject subject : subjects) {
            fault.before(subject);
            cells.add(threads.submit(() -> subject.burst(call)));
        }
        return values(cells);
    }

    static List<String> values(List<Future<String>> cells) throws Exception {
        List<String> values = new ArrayList<>();
        for (Future<String> cell : cells) {
            values.add(cell.get());
        }
        return values;
    }

    /** The cells of each contestant are that of one caller and that of many. */
    void print(String row, List<String> cells) {
        JdbcIdleContestants[] contestants = JdbcIdleContestants.values();
        List<String> pairs = IntStream.range(0, contestants.length)
                .mapToObj(i -> cells.get(2 * i) + " / " + cells.get(2 * i + 1))
                .toList();
        ours.add(row + ": " + pairs.get(JdbcIdleContestants.PENSTOCK.ordinal()));
        System.out.println("| " + row + " | " + String.join(" | ", pairs) + " |");
    }

    TcpSimulatorBuilder path() {
        return TcpSimulator.to("127.0.0.1", database.port()).maxConnections(1_000);
    }

    String url(int port) {
        return database.urlThrough(new InetSocketAddress("127.0.0.1", port));
    }

    List<PoolSubject> subjects(Callable<TcpSimulatorBuilder> paths) throws Exception {
        List<PoolSubject> all = new ArrayList<>();
        for (JdbcIdleContestants contestant : JdbcIdleContestants.values()) {
            for (int callers : new int[] {1, CALLERS}) {
                TcpSimulator path = paths.call().start();
                all.add(new PoolSubject(contestant, callers, path, contestant.pool(url(path.port()))));
            }
        }
        for (PoolSubject subject : all) {
            String _ = subject.burst(this::query); // opens its connections
            String _ = subject.burst(this::query);
        }
        return all;
    }

    void query(PoolSubject subject) throws SQLException {
        try (Connection connection = subject.pool.source().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(database.sleeping(0.005));
        }
    }

    Future<String> later(Callable<String> cell) {
        return threads.submit(cell);
    }

    /** The cells of ours, each after the name of its row. */
    List<String> ours() {
        return List.copyOf(ours);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
