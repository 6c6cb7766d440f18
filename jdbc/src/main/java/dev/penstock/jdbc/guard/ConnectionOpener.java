package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections, each within a time limit. Each one is opened on a virtual thread, since drivers support only
 * limits of whole seconds or none. A connection that arrives too late is closed.
 *
 * <p>Thread-safe. At most {@value #CONCURRENCY} connections are opened at the same time, since a database may start a
 * process for each.
 */
final class ConnectionOpener {
    static final int CONCURRENCY = 4;

    /** Opens a physical connection. */
    @FunctionalInterface
    interface Connector {
        /**
         * Opens a connection.
         *
         * @param socketId an id by which {@link WatchedSocketFactory} finds its socket
         */
        Connection open(String socketId) throws SQLException;
    }

    private final Connector connector;
    private final @Nullable String initSql;
    private final ServerStatements statements;
    private final Duration timeout;
    private final Ticker ticker;
    private final Semaphore permits = new Semaphore(CONCURRENCY);
    private final LongAdder opened = new LongAdder();

    ConnectionOpener(
            Connector connector,
            @Nullable String initSql,
            ServerStatements statements,
            Duration timeout,
            Ticker ticker) {
        this.connector = connector;
        this.initSql = initSql;
        this.statements = statements;
        this.timeout = timeout;
        this.ticker = ticker;
    }

    /**
     * Opens a connection.
     *
     * @param wait the maximum time, in nanoseconds, if shorter than the connect timeout
     * @throws SQLTransientConnectionException when it took too long
     * @throws SQLException when the driver failed
     */
    PhysicalConnection open(long wait) throws SQLException {
        long nanos = Math.min(wait, timeout.toNanos());
        try {
            if (!permits.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                throw timedOut(nanos);
            }
            try {
                PhysicalConnection result = openWithin(nanos);
                opened.increment();
                return result;
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while opening a connection", "08001", e);
        }
    }

    private PhysicalConnection openWithin(long nanos) throws SQLException, InterruptedException {
        String socketId = UUID.randomUUID().toString();
        CompletableFuture<PhysicalConnection> result = new CompletableFuture<>();
        Thread opening = Thread.ofVirtual().name("penstock-jdbc-open").start(() -> open(socketId, result));
        try {
            return result.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            if (!result.cancel(false) && !result.isCompletedExceptionally()) {
                return result.join();
            }
            opening.interrupt();
            close(WatchedSocketFactory.takeSocket(socketId));
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw timedOut(nanos);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException known
                    ? known
                    : new SQLException(
                            "the driver failed to open a connection: " + e.getCause(), "08001", e.getCause());
        }
    }

    private void open(String socketId, CompletableFuture<PhysicalConnection> result) {
        try {
            Connection connection = connector.open(socketId);
            PhysicalConnection physical =
                    new PhysicalConnection(connection, WatchedSocketFactory.takeSocket(socketId), ticker.nanos());
            try {
                setUp(connection);
            } catch (Throwable e) {
                physical.abort();
                throw e;
            }
            if (!result.complete(physical)) {
                physical.abort();
            }
        } catch (Throwable e) { // also an Error: a caller waits for it
            close(WatchedSocketFactory.takeSocket(socketId));
            result.completeExceptionally(e);
        }
    }

    private void setUp(Connection connection) throws SQLException {
        statements.prepare(connection);
        if (initSql == null) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(initSql);
        }
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    private SQLTransientConnectionException timedOut(long nanos) {
        return new SQLTransientConnectionException(
                "connect timeout after " + Durations.format(nanos)
                        + "; check that the database is reachable, or set a longer connect timeout",
                "08001");
    }

    private static void close(@Nullable SocketChannel socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // Closed in any case.
            }
        }
    }

    /** The number of connections opened. */
    long opened() {
        return opened.sum();
    }
}
