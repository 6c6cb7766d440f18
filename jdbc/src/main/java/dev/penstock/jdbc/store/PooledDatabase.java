package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.postgres.PostgresDriver;
import dev.penstock.supervise.Supervisor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database with a connection pool, shared with other processes.
 *
 * <h2>Design note</h2>
 *
 * <p>On PostgreSQL each statement is a transaction of its own. Its result then proves its commit, even where a pooler
 * assigns another backend to every transaction: there is no COMMIT that could be sent to the wrong one. Claims need no
 * more, since each statement changes a row only if it is still as it was read. On other databases a batch is several
 * statements in one transaction.
 *
 * <p>Thread-safe.
 */
final class PooledDatabase implements StoreDatabase {
    private final Supplier<? extends DataSource> connections;
    private final KeyTable table;
    private final StoreClock clock;
    private final Runnable onClose;
    private final AtomicReference<@Nullable StoreDialect> known = new AtomicReference<>();

    /**
     * Does not connect yet.
     *
     * @param onClose closes the pool, if it is owned
     */
    PooledDatabase(Supplier<? extends DataSource> connections, KeyTable table, Ticker ticker, Runnable onClose) {
        this.connections = connections;
        this.table = table;
        this.clock = new StoreClock(table, ticker);
        this.onClose = onClose;
    }

    @Override
    public <T> T commit(Work<T> work) throws Failed, Unknown {
        try (Connection connection = open()) {
            return committed(connection, work);
        } catch (SQLException thrown) {
            if (KeyRows.NOT_CONFIRMED.equals(thrown.getSQLState())) {
                // A retry would find its own row, and not wait for a replica.
                throw new Failed(Failed.Cause.REFUSED, StoreDatabase.describe(thrown), thrown);
            }
            throw StoreDatabase.unknown(thrown);
        }
    }

    private Connection open() throws Failed {
        try {
            return connections.get().getConnection();
        } catch (SQLException failed) {
            throw StoreDatabase.noConnection(failed);
        }
    }

    private <T> T committed(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        // Behind a pooler the same name may be another statement, so none is prepared on the server.
        int threshold = PostgresDriver.prepareThreshold(connection, 0);
        try {
            connection.setAutoCommit(true);
            StoreDialect dialect = dialect(connection);
            long now = clock.now(connection);
            KeyRows rows = dialect.rows(table.name());
            return dialect == StoreDialect.POSTGRES
                    ? work.run(connection, rows, now)
                    : inTransaction(connection, work, rows, now);
        } finally {
            // A closed connection needs no reset: the pool discards it.
            if (!connection.isClosed()) {
                PostgresDriver.prepareThreshold(connection, threshold);
                connection.setAutoCommit(before);
            }
        }
    }

    private static <T> T inTransaction(Connection connection, Work<T> work, KeyRows rows, long now)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            T done = work.run(connection, rows, now);
            connection.commit();
            return done;
        } catch (Throwable thrown) { // also an Error: switching back to autocommit would commit
            StoreDatabase.rollBack(connection, thrown);
            throw thrown;
        }
    }

    private StoreDialect dialect(Connection connection) throws SQLException {
        StoreDialect dialect = known.get();
        if (dialect == null) {
            dialect = StoreDialect.of(connection);
            table.createIfMissing(connection, dialect);
            PostgresDurability.warn(connection, dialect, table);
            known.set(dialect);
        }
        return dialect;
    }

    @Override
    public void close() {
        onClose.run();
    }

    /** A data source that is built on first use. Thread-safe. */
    static final class LazyDataSource implements Supplier<GuardedDataSource> {
        private final Supplier<GuardedDataSource> build;
        private final Supervisor supervisor = Supervisor.current();
        private @Nullable GuardedDataSource built;

        LazyDataSource(Supplier<GuardedDataSource> build) {
            this.build = build;
        }

        @Override
        public synchronized GuardedDataSource get() {
            GuardedDataSource there = built == null ? supervisor.whileCurrent(build::get) : built;
            built = there;
            return there;
        }

        synchronized void close() {
            if (built != null) {
                built.close();
            }
        }
    }
}
