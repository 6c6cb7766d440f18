package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.UtilityElf;
import dev.penstock.Ticker;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.text.Durations;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens physical connections and sets them up as HikariCP is configured, each on a virtual thread that its caller can
 * abandon. A connection that arrives too late is closed.
 *
 * <p>Thread-safe. At most {@value #CONCURRENCY} are opened at the same time, since a database may start a process for
 * each.
 */
final class ConnectionOpener {
    static final int CONCURRENCY = 4;

    /** The pause after a failure, doubled with each further one, in milliseconds. */
    private static final int MIN_PAUSE = 25;

    private static final int MAX_DOUBLINGS = 4;

    /** SQLStates, or their classes, of errors that repeat: authorization, unknown database, syntax, unsupported, closed. */
    private static final List<String> PERMANENT = List.of("28", "3D", "42", "0A", "08004", "08003");

    /** MariaDB's and MySQL's errors of such states that do not repeat: too many connections, in all or of the user. */
    private static final Set<Integer> TRANSIENT = Set.of(1040, 1203, 1226);

    private static final Logger LOG = LoggerFactory.getLogger(GuardedDataSource.class);

    private final String name;
    private final WatchedSocketFactory.Connector driver;
    private final HikariConfig config;
    private final @Nullable String initSql;
    private final ServerStatements statements;
    private final Duration timeout;
    private final ValidationTimeout validationTimeout;
    private final Ticker ticker;
    private final Semaphore permits = new Semaphore(CONCURRENCY);
    private final Set<Opening> openings = ConcurrentHashMap.newKeySet();
    private final AtomicInteger failures = new AtomicInteger();
    private final LongAdder opened = new LongAdder();
    private volatile @Nullable Throwable lastFailure;
    private volatile boolean closed;

    ConnectionOpener(
            GuardedDataSourceBuilder builder,
            HikariConfig config,
            ServerStatements statements,
            ValidationTimeout validationTimeout) {
        this.name = builder.name();
        this.driver = builder.connector();
        this.config = config;
        this.initSql = builder.config.getConnectionInitSql();
        this.statements = statements;
        this.timeout = builder.connectTimeout;
        this.validationTimeout = validationTimeout;
        this.ticker = builder.ticker;
    }

    private static final class Opening extends CompletableFuture<PhysicalConnection> {
        volatile @Nullable SocketChannel socket;
        volatile @Nullable Thread thread;

        void end() {
            Thread running = thread;
            if (running != null) {
                running.interrupt();
            }
            SocketChannel opened = socket;
            if (opened != null) {
                PhysicalConnection.close(opened);
            }
        }
    }

    /**
     * Starts to open a connection; after failures with a pause, which doubles each time. It fails with the driver's
     * error, or with a timeout.
     */
    CompletableFuture<PhysicalConnection> open() {
        int failed = Math.min(failures.get(), MAX_DOUBLINGS + 1);
        long pause = failed == 0 ? 0 : (long) MIN_PAUSE << (failed - 1);
        Opening opening = new Opening();
        openings.add(opening);
        var _ = opening.orTimeout(timeout.toMillis() + pause, TimeUnit.MILLISECONDS)
                .whenComplete((_, failure) -> {
                    openings.remove(opening);
                    if (failure instanceof TimeoutException) {
                        failed(failure);
                    }
                    if (failure != null) {
                        opening.end();
                    }
                });
        if (closed) {
            opening.completeExceptionally(closedSource());
        }
        Executor threads = task -> Thread.ofVirtual().name("penstock-jdbc-open").start(task);
        (pause == 0 ? threads : CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS, threads))
                .execute(() -> run(opening));
        return opening;
    }

    /** Opens a connection and waits for it; null after a failure, which is reported, or an interrupt. */
    @Nullable
    PhysicalConnection openAndWait() {
        CompletableFuture<PhysicalConnection> opening = open();
        try {
            return opening.get();
        } catch (ExecutionException failed) {
            return null;
        } catch (InterruptedException e) {
            abandon(opening);
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** The caller no longer wants the connection. */
    static void abandon(CompletableFuture<PhysicalConnection> opening) {
        if (!opening.cancel(false) && !opening.isCompletedExceptionally()) {
            opening.join().close();
        }
    }

    private void run(Opening opening) {
        opening.thread = Thread.currentThread();
        try {
            permits.acquire();
            var _ = opening.whenComplete((_, _) -> permits.release());
            if (opening.isDone()) {
                return;
            }
            long start = ticker.nanos();
            Connection connection = WatchedSocketFactory.open(driver, socket -> opening.socket = socket);
            PhysicalConnection made = new PhysicalConnection(connection, opening.socket, ticker.nanos());
            try {
                setUp(connection);
            } catch (Throwable e) {
                made.close();
                throw e;
            }
            succeeded(made.openedAt - start);
            if (!opening.complete(made)) {
                made.close();
            }
        } catch (Throwable e) { // also an Error: a caller waits
            if (!opening.isDone()) {
                failed(e);
            }
            opening.completeExceptionally(e);
        }
    }

    private void setUp(Connection connection) throws SQLException {
        statements.prepare(connection);
        if (initSql != null) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(initSql);
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        if (connection.isReadOnly() != config.isReadOnly()) {
            connection.setReadOnly(config.isReadOnly());
        }
        if (connection.getAutoCommit() != config.isAutoCommit()) {
            connection.setAutoCommit(config.isAutoCommit());
        }
        if (config.getTransactionIsolation() != null) {
            connection.setTransactionIsolation(UtilityElf.getTransactionIsolation(config.getTransactionIsolation()));
        }
        if (config.getCatalog() != null) {
            connection.setCatalog(config.getCatalog());
        }
        if (config.getSchema() != null) {
            connection.setSchema(config.getSchema());
        }
    }

    private void succeeded(long took) {
        opened.increment();
        validationTimeout.connected(took);
        if (failures.getAndSet(0) > 0) {
            LOG.info("{}: the database is reachable again", name);
        }
    }

    private void failed(Throwable why) {
        lastFailure = failure(why);
        if (!closed && failures.getAndIncrement() == 0) {
            LOG.warn("{}: cannot open a connection: {}", name, lastFailure());
        }
    }

    /** Whether another attempt may succeed. */
    static boolean isCurable(@Nullable Throwable why) {
        if (!(why instanceof SQLException known)) {
            return why instanceof TimeoutException;
        }
        String state = known.getSQLState();
        return state == null
                || TRANSIENT.contains(known.getErrorCode())
                || PERMANENT.stream().noneMatch(state::startsWith);
    }

    /** The failure of an opening as an exception for a caller. */
    SQLException failure(@Nullable Throwable why) {
        if (why instanceof TimeoutException) {
            return new SQLTransientConnectionException(
                    "connect timeout after " + Durations.format(timeout)
                            + "; check that the database is reachable, or set a longer connect timeout",
                    "08001");
        }
        return why instanceof SQLException known
                ? known
                : new SQLException("the driver failed to open a connection: " + why, "08001", why);
    }

    SQLException closedSource() {
        return new SQLException("the data source " + name + " is closed", "08003");
    }

    boolean isFailing() {
        return failures.get() > 0;
    }

    /** Why the last opening that failed did; null before the first. */
    @Nullable
    Throwable lastCause() {
        return lastFailure;
    }

    /** Its message; empty before the first. */
    String lastFailure() {
        Throwable last = lastFailure;
        return last == null ? "" : String.valueOf(last.getMessage());
    }

    /** The number of connections opened. */
    long opened() {
        return opened.sum();
    }

    /** Ends all attempts, and every further one. */
    void close() {
        closed = true;
        openings.forEach(opening -> opening.completeExceptionally(closedSource()));
    }
}
