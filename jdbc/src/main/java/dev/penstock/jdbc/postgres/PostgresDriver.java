package dev.penstock.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL's driver knows and JDBC does not show, where that driver is on the class path of Penstock. Elsewhere this
 * does what JDBC does: a driver that comes from another class loader proves no commit.
 */
public final class PostgresDriver {
    static final boolean IS_THERE = isThere();

    private PostgresDriver() {}

    private static boolean isThere() {
        try {
            Class.forName("org.postgresql.core.BaseConnection", false, PostgresDriver.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }

    /**
     * Commits. With PostgreSQL's driver it returns only when the database has proven it.
     *
     * @throws SQLException with SQLState 40000 when the database has rolled back instead, 40003 when nothing proves either,
     *     or any other when the database or the driver says so
     */
    public static void commit(Connection connection) throws SQLException {
        if (IS_THERE) {
            DriverAccess.commit(connection);
        } else {
            connection.commit();
        }
    }

    /**
     * Asks the database to cancel what a connection does. {@link Statement#cancel} of PostgreSQL's driver holds the connection's lock
     * until the database has taken the request, up to 10 s where nothing comes through, and what was cut meanwhile waits for that
     * lock. Here nothing waits. The request may hit a later statement: give the connection to nobody else.
     *
     * @param running the statement that is under way
     */
    public static void cancel(Connection connection, Statement running) throws SQLException {
        if (!IS_THERE || !DriverAccess.cancel(connection)) {
            running.cancel();
        }
    }

    /**
     * Checks that a statement that commits by itself has done so, for what can be seen without asking.
     *
     * @param warnings of the statement
     * @throws SQLException with SQLState 40003 when nothing proves it
     */
    public static void checkCommitted(Connection connection, @Nullable SQLWarning warnings) throws SQLException {
        if (IS_THERE) {
            DriverAccess.checkCommitted(connection, warnings);
        }
    }

    /**
     * Sets after how many runs of a statement the driver gives it a name on the server.
     *
     * @param threshold 0 for never
     * @return what it was before; with another driver nothing is set, and this is {@code threshold}
     */
    public static int prepareThreshold(Connection connection, int threshold) throws SQLException {
        return IS_THERE ? DriverAccess.prepareThreshold(connection, threshold) : threshold;
    }

    /**
     * Whether an error was made up by a pooler, which may not know what became of a statement. PostgreSQL names the routine of
     * its source with each error, poolers do not.
     */
    public static boolean isOfPooler(SQLException error) {
        return IS_THERE && DriverAccess.isOfPooler(error);
    }

    /** Whether the backend itself refused a message of the driver, so that nothing was run: another statement was prepared. */
    public static boolean isProtocolMismatch(SQLException error) {
        return IS_THERE && DriverAccess.isProtocolMismatch(error);
    }

    /** Whether the plan that the driver had prepared does not fit the tables any more. */
    public static boolean isOutdatedPlan(SQLException error) {
        return IS_THERE && DriverAccess.isOutdatedPlan(error);
    }

    /** Whether PgBouncer runs in statement mode, where a transaction of several statements is not allowed. */
    public static boolean allowsNoTransactions(SQLException error) {
        return IS_THERE && DriverAccess.allowsNoTransactions(error);
    }
}
