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
 * Borrows connections within a time, and keeps bad ones from others.
 *
 * <p>A {@link GuardedDataSource} is told the time. No other promises to be back in it: so borrowing is done there by a virtual
 * thread that the caller need not wait for; what comes too late is given back. At most {@value #MOST} borrow at a time, for a
 * data source may keep them as long as it likes.
 *
 * <p>Safe for many threads.
 */
final class ConnectionBorrower {
    /** None came free in time. */
    static final class Busy extends Exception {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message, null, false, false);
        }
    }

    private static final int MOST = 10_000;

    private final DataSource dataSource;
    private final Semaphore places = new Semaphore(MOST);
    private final ServerStatements statements;

    ConnectionBorrower(DataSource dataSource) {
        this.dataSource = dataSource;
        this.statements = statements(dataSource);
    }

    /** Those of a guarded data source, which are checked when a connection is opened; own ones for any other. */
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
     * Lends a connection; {@link Connection#close} gives it back.
     *
     * @param nanos how long it may take
     * @throws SQLException there is none
     * @throws Busy none came in time, or the caller was interrupted
     */
    Connection lend(long nanos) throws SQLException, Busy {
        return dataSource instanceof GuardedDataSource guarded
                ? guarded.getConnection(Duration.ofNanos(nanos))
                : lendApart(nanos);
    }

    private Connection lendApart(long nanos) throws SQLException, Busy {
        if (!places.tryAcquire()) {
            throw new Busy("too many wait for a connection already: " + MOST);
        }
        CompletableFuture<Connection> lent = new CompletableFuture<>();
        Thread.ofVirtual().name("penstock-jdbc-borrow").start(() -> borrow(lent));
        try {
            return lent.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw gaveUp(lent, "no connection came within the time left");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw gaveUp(lent, "the caller was interrupted while it waited for a connection");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof SQLException error) {
                throw error;
            }
            throw new SQLException("the data source failed: " + failed.getCause(), "08001", failed.getCause());
        }
    }

    private void borrow(CompletableFuture<Connection> lent) {
        try {
            Connection connection = dataSource.getConnection();
            if (!lent.complete(connection)) {
                connection.close();
            }
        } catch (SQLException | RuntimeException failed) {
            lent.completeExceptionally(failed);
        } finally {
            places.release();
        }
    }

    /** Nobody waits for it any more; one that has come in this very moment goes back. */
    private static Busy gaveUp(CompletableFuture<Connection> lent, String why) {
        Busy ending = new Busy(why);
        if (!lent.completeExceptionally(ending) && !lent.isCompletedExceptionally()) {
            JdbcSession.quietly(() -> lent.join().close());
        }
        return ending;
    }

    /** Takes back a connection that nobody else may have any more. */
    void discard(Connection connection) {
        if (dataSource instanceof HikariDataSource pool) {
            pool.evictConnection(connection);
        } else {
            JdbcSession.quietly(() -> connection.abort(task -> Thread.ofVirtual().start(task)));
        }
        JdbcSession.quietly(connection::close);
    }

    /** How many connections there are, by state; nothing where the data source does not tell. */
    Map<String, Long> connections() {
        if (dataSource instanceof GuardedDataSource guarded) {
            return guarded.connections();
        }
        HikariPoolMXBean pool = dataSource instanceof HikariDataSource hikari ? hikari.getHikariPoolMXBean() : null;
        return pool == null
                ? Map.of()
                : Map.of("leased", (long) pool.getActiveConnections(), "idle", (long) pool.getIdleConnections());
    }

    /** The settings of the data source as they are now; none where it does not tell. */
    List<Setting> settings() {
        return dataSource instanceof GuardedDataSource guarded ? guarded.settings() : statements.settings();
    }
}
