package dev.penstock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.penstock.Setting;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.postgres.ServerStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Borrows connections from a data source within a time limit, and discards broken ones.
 *
 * <p>A {@link GuardedDataSource} takes the time limit itself. Other data sources may block for longer, so they are
 * called on a virtual thread which the caller can abandon; a connection that arrives too late is given back. At most
 * {@value #MAX_WAITING} threads wait in such a data source at a time.
 *
 * <p>Thread-safe.
 */
final class ConnectionBorrower {
    /** No connection was available in time. */
    static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message, null, false, false);
        }
    }

    private static final int MAX_WAITING = 10_000;

    private final DataSource dataSource;
    private final Semaphore waiting = new Semaphore(MAX_WAITING);
    private final ServerStatements statements;

    ConnectionBorrower(DataSource dataSource) {
        this.dataSource = dataSource;
        this.statements = statements(dataSource);
    }

    /**
     * The instance of a guarded data source, which checks each connection when it is opened; a new instance for
     * any other.
     */
    private static ServerStatements statements(DataSource dataSource) {
        if (dataSource instanceof GuardedDataSource guarded) {
            try {
                return guarded.unwrap(ServerStatements.class);
            } catch (SQLException never) {
                throw new IllegalStateException(never);
            }
        }
        return new ServerStatements();
    }

    ServerStatements statements() {
        return statements;
    }

    /**
     * Borrows a connection. {@link Connection#close} gives it back.
     *
     * @param nanos the time limit, in nanoseconds
     * @throws SQLException no connection could be opened
     * @throws Busy no connection was available in time, or the caller was interrupted
     */
    Connection borrow(long nanos) throws SQLException, Busy {
        return dataSource instanceof GuardedDataSource guarded
                ? guarded.getConnection(Duration.ofNanos(nanos))
                : borrowAsync(nanos);
    }

    private Connection borrowAsync(long nanos) throws SQLException, Busy {
        if (!waiting.tryAcquire()) {
            throw new Busy("no connection: " + MAX_WAITING + " threads already wait for one");
        }
        CompletableFuture<Connection> result = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jdbc-borrow").start(() -> open(result));
        try {
            return result.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw abandon(result, "no connection available before the deadline");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw abandon(result, "interrupted while waiting for a connection");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SQLException error) {
                throw error;
            }
            throw new SQLException("the data source threw " + failed.getCause(), "08001", failed.getCause());
        }
    }

    private void open(CompletableFuture<Connection> result) {
        try {
            Connection connection = dataSource.getConnection();
            if (!result.complete(connection)) {
                connection.close();
            }
        } catch (SQLException | RuntimeException failed) {
            result.completeExceptionally(failed);
        } finally {
            waiting.release();
        }
    }

    /** Abandons the wait; a connection that arrived at this very moment is given back. */
    private static Busy abandon(CompletableFuture<Connection> result, String why) {
        Busy ending = new Busy(why);
        if (!result.completeExceptionally(ending) && !result.isCompletedExceptionally()) {
            JdbcSession.quietly(() -> result.join().close());
        }
        return ending;
    }

    /**
     * Whether a connection may be aborted while it is given back, when the pool rolls back or resets it: it is not
     * aborted once another caller has it.
     */
    boolean isAbortedUntilReturned() {
        return dataSource instanceof GuardedDataSource;
    }

    /** Closes a connection for good, so that no other caller gets it. */
    void discard(Connection connection) {
        if (dataSource instanceof HikariDataSource pool) {
            pool.evictConnection(connection);
        } else {
            JdbcSession.quietly(() -> connection.abort(
                    task -> Thread.ofVirtual().name("penstock-jdbc-abort").start(task)));
        }
        JdbcSession.quietly(connection::close);
    }

    /** The configured maximum number of connections; {@link Integer#MAX_VALUE} if adaptive or not known. */
    int maxConnections() {
        return switch (dataSource) {
            case GuardedDataSource guarded -> guarded.maxConnections();
            case HikariDataSource pool -> pool.getMaximumPoolSize();
            default -> Integer.MAX_VALUE;
        };
    }

    /** The number of connections by state; empty when the data source does not report it. */
    Map<String, Long> connections() {
        if (dataSource instanceof GuardedDataSource guarded) {
            return guarded.connections();
        }
        HikariPoolMXBean pool = dataSource instanceof HikariDataSource hikari ? hikari.getHikariPoolMXBean() : null;
        return pool == null
                ? Map.of()
                : Map.of("leased", (long) pool.getActiveConnections(), "idle", (long) pool.getIdleConnections());
    }

    /** The current settings of the data source; empty when it does not report them. */
    List<Setting> settings() {
        return dataSource instanceof GuardedDataSource guarded ? guarded.settings() : statements.settings();
    }
}
