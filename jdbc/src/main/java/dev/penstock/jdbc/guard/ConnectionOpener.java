package dev.penstock.jdbc.guard;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.jdbc.postgres.ServerStatements;
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
 * Opens connections, each within a bound: on a virtual thread of its own, as drivers know bounds in whole seconds or none. What
 * comes too late is closed.
 *
 * <p>Safe for many threads; {@value #AT_ONCE} open at once, for a database makes a process of each.
 */
final class ConnectionOpener {
    static final int AT_ONCE = 4;

    /** How a connection is made. */
    @FunctionalInterface
    interface Way {
        /**
         * Makes one.
         *
         * @param word what {@link WatchedSocketFactory} is to know its socket by
         */
        Connection open(String word) throws SQLException;
    }

    private final Way way;
    private final @Nullable String initSql;
    private final ServerStatements statements;
    private final Duration bound;
    private final Ticker ticker;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final LongAdder opened = new LongAdder();

    ConnectionOpener(Way way, @Nullable String initSql, ServerStatements statements, Duration bound, Ticker ticker) {
        this.way = way;
        this.initSql = initSql;
        this.statements = statements;
        this.bound = bound;
        this.ticker = ticker;
    }

    /**
     * Opens one.
     *
     * @param wait how long to wait at most, nanoseconds, if that is less than the bound
     * @throws SQLTransientConnectionException it took too long
     * @throws SQLException the driver could not
     */
    PhysicalConnection open(long wait) throws SQLException {
        long most = Math.min(wait, bound.toNanos());
        try {
            if (!places.tryAcquire(most, TimeUnit.NANOSECONDS)) {
                throw tooLate(most);
            }
            try {
                PhysicalConnection made = openWithin(most);
                opened.increment();
                return made;
            } finally {
                places.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while a connection was opened", "08001", e);
        }
    }

    private PhysicalConnection openWithin(long most) throws SQLException, InterruptedException {
        String word = UUID.randomUUID().toString();
        CompletableFuture<PhysicalConnection> made = new CompletableFuture<>();
        Thread opening = Thread.ofVirtual().name("penstock-jdbc-open").start(() -> open(word, made));
        try {
            return made.get(most, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | InterruptedException e) {
            if (!made.cancel(false) && !made.isCompletedExceptionally()) {
                return made.join();
            }
            opening.interrupt();
            close(WatchedSocketFactory.taken(word));
            if (e instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            throw tooLate(most);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException known
                    ? known
                    : new SQLException(
                            "the driver could not open a connection: " + e.getCause(), "08001", e.getCause());
        }
    }

    private void open(String word, CompletableFuture<PhysicalConnection> made) {
        try {
            Connection connection = way.open(word);
            PhysicalConnection physical = new PhysicalConnection(connection, WatchedSocketFactory.taken(word), ticker.nanos());
            try {
                setUp(connection);
            } catch (Throwable e) {
                physical.abort();
                throw e;
            }
            if (!made.complete(physical)) {
                physical.abort();
            }
        } catch (Throwable e) { // an Error too: a caller waits for it
            close(WatchedSocketFactory.taken(word));
            made.completeExceptionally(e);
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

    private SQLTransientConnectionException tooLate(long most) {
        return new SQLTransientConnectionException(
                "no connection was open after " + Durations.words(most)
                        + ": see whether the database can be reached, or give a longer connect timeout",
                "08001");
    }

    private static void close(@Nullable SocketChannel socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // It was to go; now it is gone.
            }
        }
    }

    /** How many were opened. */
    long opened() {
        return opened.sum();
    }
}
