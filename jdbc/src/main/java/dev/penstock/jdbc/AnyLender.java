package dev.penstock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/**
 * Borrows from a data source of any kind. None of them takes a time limit, so the borrowing is done by a virtual thread
 * that the caller need not wait for; what comes too late is given back. At most {@value #MOST} borrow at a time, for a
 * data source may keep them as long as it likes.
 */
final class AnyLender implements Lender {
    private static final int MOST = 10_000;

    private final DataSource dataSource;
    private final Semaphore places = new Semaphore(MOST);

    AnyLender(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Connection lend(long nanos) throws SQLException, Busy {
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
            try {
                lent.join().close();
            } catch (SQLException gone) {
                ending.addSuppressed(gone);
            }
        }
        return ending;
    }

    @Override
    public void discard(Connection connection) {
        if (dataSource instanceof HikariDataSource pool) {
            pool.evictConnection(connection);
        } else {
            Session.quietly(() -> connection.abort(task -> Thread.ofVirtual().start(task)));
        }
        Session.quietly(connection::close);
    }

    @Override
    public Map<String, Long> connections() {
        Map<String, Long> counts = new LinkedHashMap<>();
        HikariPoolMXBean pool = dataSource instanceof HikariDataSource hikari ? hikari.getHikariPoolMXBean() : null;
        if (pool != null) {
            counts.put("leased", (long) pool.getActiveConnections());
            counts.put("idle", (long) pool.getIdleConnections());
        }
        return counts;
    }
}
