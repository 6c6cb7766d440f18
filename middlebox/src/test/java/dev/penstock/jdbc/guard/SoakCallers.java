package dev.penstock.jdbc.guard;

import static dev.penstock.jdbc.guard.RandomFaults.rest;

import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** Callers of a pool, and of a flow over it. */
final class SoakCallers implements AutoCloseable {
    static final Duration DEADLINE = Duration.ofSeconds(2);

    private final GuardedDataSource source;
    private final Class<?> driver;
    private final String sleep;
    private final Set<Object> inUse = ConcurrentHashMap.newKeySet();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong worst = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    /**
     * Callers that have not started.
     *
     * @param driver the type of the driver's connections, of which no two callers may have the same one
     * @param sleep a query that takes some milliseconds
     */
    SoakCallers(GuardedDataSource source, Class<?> driver, String sleep) {
        this.source = source;
        this.driver = driver;
        this.sleep = sleep;
    }

    void startOfPool(int callers, Random seeds) {
        for (int i = 0; i < callers; i++) {
            Random own = new Random(seeds.nextLong());
            threads.add(Thread.ofPlatform().start(() -> call(() -> use(own), own)));
        }
    }

    /** Some rows are there already, so batches are rolled back too. */
    void startOfFlow(int callers, Flow<JdbcRequest, JdbcAnswer> flow, Random seeds) {
        for (int i = 0; i < callers; i++) {
            Random own = new Random(seeds.nextLong());
            threads.add(Thread.ofPlatform()
                    .start(() -> call(() -> flow.call(JdbcRequest.of("id", own.nextInt(10_000))), own)));
        }
    }

    /** No further calls begin. */
    void end() {
        over = true;
    }

    /** Whether all callers have their answers within a time each. */
    boolean await(Duration time) throws InterruptedException {
        boolean ended = true;
        for (Thread thread : threads) {
            ended &= thread.join(time);
        }
        return ended;
    }

    List<String> wrong() {
        return List.copyOf(wrong);
    }

    long answered() {
        return answered.get();
    }

    @Override
    public String toString() {
        return "answered " + answered + ", failed " + failed + ", worst " + worst + " ms";
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /** One call of a caller. */
    @FunctionalInterface
    private interface Caller {
        void call() throws Exception;
    }

    @SuppressWarnings("IllegalCatch") // any other exception is a failure of the test
    private void call(Caller caller, Random own) {
        while (!over) {
            long start = Ticker.SYSTEM.nanos();
            try {
                caller.call();
                answered.incrementAndGet();
            } catch (SQLException | Unanswered expected) {
                failed.incrementAndGet();
            } catch (Exception | LinkageError unexpected) {
                wrong.add(unexpected.toString());
            }
            worst.accumulateAndGet((Ticker.SYSTEM.nanos() - start) / 1_000_000, Math::max);
            rest(own.nextInt(own.nextInt(20) == 0 ? 1_500 : 30));
        }
    }

    /** One transaction, aborted at its deadline as a flow does, ended by a commit, a rollback, or only by the close. */
    private void use(Random own) throws SQLException {
        Connection connection = source.getConnection(DEADLINE);
        ScheduledFuture<?> deadline = timer.schedule(
                () -> Thread.ofVirtual().start(() -> abort(connection)), DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
        try (connection) {
            Object user = connection.unwrap(driver);
            if (!inUse.add(user)) {
                wrong.add("a connection has two callers");
            }
            try (Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute(sleep);
                if (own.nextInt(3) == 0) {
                    connection.commit();
                } else if (own.nextBoolean()) {
                    connection.rollback();
                }
            } finally {
                inUse.remove(user);
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
}
