package dev.penstock.jdbc.ledger;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Does something to the table in one transaction of the database. Makes the table first, the first time. Safe for many
 * threads.
 */
final class Together {
    /** What is done. */
    interface Work<T> {
        T done(Connection connection, Rows rows, Dialect dialect) throws SQLException;
    }

    private final Supplier<? extends DataSource> connections;
    private final Table table;
    private final AtomicReference<@Nullable Dialect> known = new AtomicReference<>();

    Together(Supplier<? extends DataSource> connections, Table table) {
        this.connections = connections;
        this.table = table;
    }

    /**
     * Does it, and commits.
     *
     * @throws Failed cause connect: there is no connection
     * @throws Unknown it threw; nobody knows whether it is committed
     */
    <T> T commit(Work<T> work) throws Failed, Unknown {
        try (Connection connection = open()) {
            return committed(connection, work);
        } catch (SQLException thrown) {
            throw new Unknown(Unknown.Cause.ERROR, words(thrown), thrown);
        }
    }

    private Connection open() throws Failed {
        try {
            return connections.get().getConnection();
        } catch (SQLException none) {
            throw new Failed(Failed.Cause.CONNECT, "no connection: " + words(none), none);
        }
    }

    private <T> T committed(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(true);
        Dialect dialect = dialect(connection);
        connection.setAutoCommit(false);
        try {
            T done = work.done(connection, dialect.rows(table.name()), dialect);
            connection.commit();
            return done;
        } catch (SQLException | RuntimeException thrown) {
            rollBack(connection, thrown);
            throw thrown;
        } finally {
            if (before) {
                restore(connection);
            }
        }
    }

    private static void rollBack(Connection connection, Exception thrown) {
        try {
            connection.rollback();
        } catch (SQLException also) {
            thrown.addSuppressed(also);
        }
    }

    /** A connection that will not have it is of no use to the next one either, which will see so. */
    private static void restore(Connection connection) throws SQLException {
        if (!connection.isClosed()) {
            connection.setAutoCommit(true);
        }
    }

    private Dialect dialect(Connection connection) throws SQLException {
        Dialect dialect = known.get();
        if (dialect == null) {
            dialect = Dialect.of(connection);
            table.make(connection, dialect);
            known.set(dialect);
        }
        return dialect;
    }

    private static String words(SQLException thrown) {
        String state = thrown.getSQLState();
        String message = thrown.getMessage();
        String first = message == null
                ? thrown.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
        return state == null ? first : first + " (SQL state " + state + ")";
    }
}
