package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.jdbc.postgres.PostgresDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database with a pool of connections, shared with other processes.
 *
 * <h2>Design note</h2>
 *
 * <p>On PostgreSQL each statement is a transaction of its own. Its result is then the proof of its commit, also where a
 * pooler gives every transaction another backend: there is no COMMIT that could go to the wrong one. Claims need no more, for
 * each statement changes a row only if it is still as it was read. Elsewhere a batch is many statements and one transaction.
 *
 * <p>Safe for many threads.
 */
final class PooledDatabase implements StoreDatabase {
    private final Supplier<? extends DataSource> connections;
    private final KeyTable table;
    private final StoreClock clock;
    private final Runnable closing;
    private final AtomicReference<@Nullable StoreDialect> known = new AtomicReference<>();

    /**
     * A database that is not connected to yet.
     *
     * @param closing closes the pool, if it is to be closed with this
     */
    PooledDatabase(Supplier<? extends DataSource> connections, KeyTable table, Ticker ticker, Runnable closing) {
        this.connections = connections;
        this.table = table;
        this.clock = new StoreClock(table, ticker);
        this.closing = closing;
    }

    @Override
    public <T> T commit(Work<T> work) throws Failed, Unknown {
        try (Connection connection = open()) {
            return committed(connection, work);
        } catch (SQLException thrown) {
            if (KeyRows.NOT_CONFIRMED.equals(thrown.getSQLState())) {
                // Asked again it would find its own row, and wait for no replica.
                throw new Failed(Failed.Cause.REFUSED, StoreDatabase.words(thrown), thrown);
            }
            throw StoreDatabase.unknown(thrown);
        }
    }

    private Connection open() throws Failed {
        try {
            return connections.get().getConnection();
        } catch (SQLException none) {
            throw StoreDatabase.noConnection(none);
        }
    }

    private <T> T committed(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        // Behind a pooler the same name may be another statement, so none gets a name.
        int threshold = PostgresDriver.prepareThreshold(connection, 0);
        try {
            connection.setAutoCommit(true);
            StoreDialect dialect = dialect(connection);
            long now = clock.now(connection);
            KeyRows rows = dialect.rows(table.name());
            return dialect == StoreDialect.POSTGRES
                    ? work.done(connection, rows, now)
                    : inTransaction(connection, work, rows, now);
        } finally {
            // A connection that is closed is of no use to the next one either, which will see so.
            if (!connection.isClosed()) {
                PostgresDriver.prepareThreshold(connection, threshold);
                connection.setAutoCommit(before);
            }
        }
    }

    private static <T> T inTransaction(Connection connection, Work<T> work, KeyRows rows, long now) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T done = work.done(connection, rows, now);
            connection.commit();
            return done;
        } catch (Throwable thrown) { // an Error too: going back to auto-commit would commit
            StoreDatabase.rollBack(connection, thrown);
            throw thrown;
        }
    }

    private StoreDialect dialect(Connection connection) throws SQLException {
        StoreDialect dialect = known.get();
        if (dialect == null) {
            dialect = StoreDialect.of(connection);
            table.make(connection, dialect);
            PostgresDurability.warn(connection, dialect, table);
            known.set(dialect);
        }
        return dialect;
    }

    @Override
    public void close() {
        closing.run();
    }
}
